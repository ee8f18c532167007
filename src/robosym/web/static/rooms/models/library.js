// All models of the robot as a library in C, in one archive. It takes a while: every model is derived.
import { html, useState } from "../../vendor/preact.mjs";
import { askRobot } from "../../core/robot.js";
import { say } from "../../parts/notices.js";
import { fromBase64, saved } from "./files.js";

export function Library() {
  const [busy, setBusy] = useState(false);
  const fetch = async () => {
    setBusy(true);
    try {
      const { name, zip, left_out: out } = await askRobot("/library");
      saved(name, fromBase64(zip), "application/zip");
      say(out.length ? `${name} is there; left out: ${out.map((one) => one.name).join(", ")}.` : `${name} is there.`);
    } catch (error) {
      say(error.message, "bad");
    }
    setBusy(false);
  };
  return html`<button onClick=${fetch} disabled=${busy} title="Every model of this robot in C, with CMake and a program that checks them">${busy ? "Deriving all models …" : "C library"}</button>`;
}
