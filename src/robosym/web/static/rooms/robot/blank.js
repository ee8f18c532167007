// What an empty cell means, which is shown in it: nothing, 0, the joint's own variable, the usual name.

export const variableOf = (tables, row) => tables.joints[row]?.variable || `q${row + 1}`;

export const sigmaOf = (tables, row) => {
  const said = String(tables.frames[row]?.sigma ?? "").trim();
  return { "": "revolute", 0: "revolute", 1: "prismatic", 2: "fixed" }[said] ?? said;
};

const hasVariable = (tables, row) => !["fixed", "free"].includes(sigmaOf(tables, row)); // of other kinds it is the stem of several
const links = (tables) => tables.frames.length - 2 * (Number(tables.loops[0]?.loops) || 0);

// { text, own }: `own` is the joint's variable, which moves.
export function blankOf(table, column, tables, row) {
  const { blank, key } = column;
  if (blank === "moving") {
    const moves = sigmaOf(tables, row) === (key === "theta" ? "revolute" : "prismatic");
    return moves ? { text: variableOf(tables, row), own: true } : { text: "0" };
  }
  if (blank === "variable") return { text: hasVariable(tables, row) ? variableOf(tables, row) : `fixed${row + 1}` };
  if (blank === "active") return { text: "", truth: hasVariable(tables, row) && row < links(tables) };
  if (blank === "identity") return { text: ["sx", "nx", "ax"].indexOf(key) === row ? "1" : "0" };
  if (key === "variable" && !hasVariable(tables, row)) return { text: "" };
  return { text: blank.replace("{j-1}", String(row)).replace("{j}", String(row + 1)) };
}
