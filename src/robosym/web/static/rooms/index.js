// The rooms of the page in the order of the menus. A room is read when it is first entered; it exports `Room`, a component.

export const ROOMS = [
  { id: "robot", title: "Robot", load: () => import("./robot/room.js") },
  { id: "geometric", title: "Geometric", load: () => import("./models/room.js") },
  { id: "kinematic", title: "Kinematic", load: () => import("./models/room.js") },
  { id: "dynamic", title: "Dynamic", load: () => import("./models/room.js") },
  { id: "identification", title: "Identification", load: () => import("./identification/room.js") },
  { id: "motion", title: "Motion", load: () => import("./motion/room.js") },
  { id: "optimizer", title: "Optimizer", load: () => import("./optimizer/room.js") },
];
