import katex from "katex";
export default katex;
