// Light colours for code: words, numbers, names that are assigned, notes. One small table for fifteen languages.

const WORDS = "const double float void static inline return if else for while end function module use implicit none real integer intent in out inout subroutine contains "
  + "let mut pub fn impl import from as def class export var new struct template typename namespace using proc local Module begin do until break true false include define auto int size_t where";
const NOTES = { c: ["//"], cpp: ["//"], rust: ["//"], javascript: ["//"], fortran: ["!"], julia: ["#"], python: ["#"], numpy: ["#"], jax: ["#"], casadi: ["#"], matlab: ["%"], latex: ["%"], maple: ["#"] };
const DOCSTRING = ['"""', '"""'];
const BLOCKS = { c: ["/*", "*/"], cpp: ["/*", "*/"], javascript: ["/*", "*/"], mathematica: ["(*", "*)"], julia: DOCSTRING, python: DOCSTRING, numpy: DOCSTRING, jax: DOCSTRING, casadi: DOCSTRING };
const known = new Set(WORDS.split(" "));
const TOKEN = /("(?:[^"\\]|\\.)*")|(\\[A-Za-z]+)|([A-Za-z_]\w*)|(\d+\.?\d*(?:[eE][+-]?\d+)?(?:_dp)?)|([^\w"\\]+|[\\"])/g;

// Which lines are notes: those that begin with a mark, and those between the two ends of a longer one.
export function notesOf(lines, language) {
  const marks = NOTES[language] ?? [];
  const [open, close] = BLOCKS[language] ?? [];
  let inside = false;
  return lines.map((line) => {
    const bare = line.trimStart();
    if (inside) {
      if (line.includes(close)) inside = false;
      return true;
    }
    if (open && bare.startsWith(open)) {
      inside = !bare.slice(open.length).includes(close);
      return true;
    }
    return marks.some((mark) => bare.startsWith(mark));
  });
}

// Fill a node with the line, in spans; nothing is ever read as markup.
export function colour(node, line, note) {
  if (note) {
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
export function headOf(notes) {
  const count = notes.findIndex((note) => !note);
  return count > 6 ? count : 0;
}
