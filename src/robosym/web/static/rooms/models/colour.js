// Light colours for code: words, numbers, names that are assigned, notes. One small table for fifteen languages.

const WORDS = "const double float void static inline return if else for while end function module use implicit none real integer intent in out inout subroutine contains "
  + "let mut pub fn impl import from as def class export var new struct template typename namespace using proc local Module begin do until break true false include define auto int size_t where";
const NOTES = {
  c: ["//", "/*", "*"], cpp: ["//", "/*", "*"], rust: ["//", "///"], javascript: ["//", "/*", "*"], fortran: ["!"], julia: ["#"], python: ["#"], numpy: ["#"], jax: ["#"], casadi: ["#"],
  matlab: ["%"], latex: ["%"], maple: ["#"], mathematica: ["(*"], json: [],
};
const known = new Set(WORDS.split(" "));
const TOKEN = /("(?:[^"\\]|\\.)*")|(\\[A-Za-z]+)|([A-Za-z_]\w*)|(\d+\.?\d*(?:[eE][+-]?\d+)?(?:_dp)?)|([^\w"\\]+|\\)/g;

const isNote = (line, language) => (NOTES[language] ?? []).some((mark) => line.trimStart().startsWith(mark));

// Fill a node with the line, in spans; nothing is ever read as markup.
export function colour(node, line, language) {
  if (isNote(line, language)) {
    node.replaceChildren(piece("note", line), "\n");
    return;
  }
  const made = [];
  const assigned = line.match(/^\s*(?:const |double |let |mut |var |Scalar |auto )*([A-Za-z]\w*)\s*:?=[^=]/)?.[1];
  for (const [whole, text, macro, name, number] of line.matchAll(TOKEN)) {
    if (text) made.push(piece("number", text));
    else if (macro) made.push(piece("word", macro));
    else if (name && known.has(name)) made.push(piece("word", name));
    else if (name && name === assigned) made.push(piece("name", name));
    else if (number) made.push(piece("number", number));
    else made.push(whole);
  }
  node.replaceChildren(...made, "\n");
}

function piece(kind, text) {
  const span = document.createElement("span");
  span.className = `code-${kind}`;
  span.textContent = text;
  return span;
}

// How many lines at the top are notes: they fold away.
export function headOf(lines, language) {
  let count = 0;
  const docstring = ["python", "numpy", "jax", "casadi", "julia"].includes(language) && /^("""|#)/.test(lines[0]);
  if (docstring && lines[0].startsWith('"""')) {
    count = lines.findIndex((line, k) => k > 0 && line.includes('"""')) + 1;
  } else if (lines[0].startsWith("(*")) {
    count = lines.findIndex((line) => line.includes("*)")) + 1;
  } else {
    while (count < lines.length && (isNote(lines[count], language) || (count > 0 && lines[count].trim() === "*/"))) count += 1;
  }
  return count > 6 ? count : 0;
}
