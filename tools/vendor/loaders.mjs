// Meshes, read only when a description has some.
export { STLLoader } from "three/examples/jsm/loaders/STLLoader.js";
export { OBJLoader } from "three/examples/jsm/loaders/OBJLoader.js";
export { ColladaLoader } from "three/examples/jsm/loaders/ColladaLoader.js";
export { GLTFLoader } from "three/examples/jsm/loaders/GLTFLoader.js";
