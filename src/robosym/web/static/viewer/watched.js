// What a session says, for components: rendered anew only when what they show has changed, not with every move.
import { useEffect, useRef, useState } from "../vendor/preact.mjs";

// `part(is)` lists what is shown.
export function useSession(session, part) {
  const [, again] = useState(0);
  const seen = useRef();
  seen.current = part(session.is);
  useEffect(() => session.watch((is) => { if (part(is).some((value, k) => value !== seen.current[k])) again((n) => n + 1); }), [session]);
  return session.is;
}
