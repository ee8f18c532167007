// Requests to the server: errors with their words and problems, and a connection that is lost and found again.

export class Refused extends Error {
  constructor(status, message, problems = []) {
    super(message);
    this.status = status;
    this.problems = problems;
  }
}

// The token of a server that asks for one is a cookie now: it need not stand in the address, nor in links that are shared.
if (new URLSearchParams(location.search).has("token")) history.replaceState(null, "", location.pathname + location.hash);

const listeners = new Set();
let online = true;

export const connection = {
  get: () => online,
  subscribe(listener) {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

function setOnline(next) {
  if (online === next) return;
  online = next;
  for (const listener of [...listeners]) listener(online);
  if (!online) waitForServer();
}

async function waitForServer() {
  for (let wait = 300; !online; wait = Math.min(wait * 1.5, 4000)) {
    await new Promise((done) => setTimeout(done, wait));
    try {
      const answer = await fetch("/api/alive", { cache: "no-store" });
      if (answer.ok) setOnline(true);
    } catch { /* not yet */ }
  }
}

// A request that waits, when the server is gone, until it is back.
export async function ask(path, { method = "GET", body, headers = {}, signal, as = "json" } = {}) {
  const init = { method, signal, headers: { ...headers } };
  if (body !== undefined) {
    const raw = body instanceof Blob || body instanceof ArrayBuffer || body instanceof Uint8Array;
    init.body = raw ? body : JSON.stringify(body);
    init.headers["content-type"] = raw ? "application/octet-stream" : "application/json";
  }
  for (;;) {
    let answer;
    try {
      answer = await fetch(path, init);
    } catch (error) {
      if (signal?.aborted) throw error;
      setOnline(false);
      await new Promise((done) => { const stop = connection.subscribe((is) => { if (is) { stop(); done(); } }); });
      continue;
    }
    setOnline(true);
    if (!answer.ok) throw await refusal(answer);
    if (as === "answer") return answer;
    if (answer.status === 204) return null;
    return as === "json" ? answer.json() : as === "text" ? answer.text() : answer.arrayBuffer();
  }
}

async function refusal(answer) {
  try {
    const { message, problems } = await answer.json();
    return new Refused(answer.status, message, problems);
  } catch {
    return new Refused(answer.status, `the server answered ${answer.status}`);
  }
}
