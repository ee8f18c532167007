// A text as a file of the reader's.
const TYPES = { html: "text/html", csv: "text/csv", json: "application/json", c: "text/x-c", toml: "application/toml", urdf: "application/xml" };

export function save(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: TYPES[name.split(".").pop()] ?? "text/plain" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}
