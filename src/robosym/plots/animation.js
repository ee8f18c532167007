"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const element = (id) => document.getElementById(id);
  const INK = "#1f2430", BODY = "#3c4658", FAINT = "#8a92a3", GRID = "#e4e7ec", SHADOW = "#eceef2";
  const TAIL = "#9aa3b2", ACCENT = "#d1495b", WANTED = "#2a6fbb", AXES = ["#c0392b", "#2e8b57", "#2a6fbb"];
  const HOLD = 0.7; // seconds at the end before it begins again
  const times = data.time, last = times.length - 1;

  // Lengths come as whole numbers of a unit: pictures of points, and paths; null where there is no place.
  const metres = (row) => row && row.map((x) => x * data.unit);
  const pictures = data.points.map(metres);
  const trace = data.trace && data.trace.map(metres);
  const wanted = data.wanted && data.wanted.map(metres);

  let now = 0, shown = 0, playing = false, speed = 1, before = null, held = 0;
  const camera = {};
  const resetCamera = () => Object.assign(camera, { turn: data.view[0], rise: data.view[1], zoom: 1, x: 0, y: 0 });
  resetCamera();

  // --- drawing on a canvas of any density ------------------------------------------------------------------------

  function sized(canvas) {
    const ratio = window.devicePixelRatio || 1;
    const width = canvas.clientWidth, height = canvas.clientHeight;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    const pen = canvas.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    return { pen, width, height };
  }

  function line(pen, places, colour, width, dash) {
    pen.beginPath();
    let open = false;
    for (const place of places) {
      if (!place) { open = false; continue; }
      if (open) pen.lineTo(place[0], place[1]); else pen.moveTo(place[0], place[1]);
      open = true;
    }
    pen.strokeStyle = colour;
    pen.lineWidth = width;
    pen.setLineDash(dash || []);
    pen.stroke();
    pen.setLineDash([]);
  }

  // --- the robot -------------------------------------------------------------------------------------------------

  // A point of the world as [across, down, towards the eye]: turned, then in mild perspective.
  function projector(width, height) {
    const { turn, rise } = camera, away = 5 * data.radius;
    const scale = camera.zoom * Math.min(width, height) / (2.25 * data.radius);
    const c = Math.cos(turn), s = Math.sin(turn), cr = Math.cos(rise), sr = Math.sin(rise);
    return (x, y, z) => {
      x -= data.centre[0]; y -= data.centre[1]; z -= data.centre[2];
      const across = c * y - s * x, up = cr * z - sr * (c * x + s * y), near = cr * (c * x + s * y) + sr * z;
      const share = away / Math.max(away - near, 0.05 * away);
      return [width / 2 + camera.x + scale * share * across, height / 2 + camera.y - scale * share * up, near];
    };
  }

  const hasGround = () => Math.abs(Math.sin(camera.rise)) > 0.02; // seen from the side it is a line

  function drawGround(pen, project) {
    if (!hasGround()) return;
    const step = data.grid, reach = step * Math.ceil(1.3 * data.radius / step);
    const [x, y] = data.centre.map((v) => Math.round(v / step) * step), z = data.ground;
    for (let k = -reach; k <= reach + step / 2; k += step) {
      line(pen, [project(x + k, y - reach, z), project(x + k, y + reach, z)], GRID, 1);
      line(pen, [project(x - reach, y + k, z), project(x + reach, y + k, z)], GRID, 1);
    }
  }

  function drawArrow(pen, from, to, colour, name) {
    const angle = Math.atan2(to[1] - from[1], to[0] - from[0]), size = 7;
    line(pen, [from, to], colour, 1.8);
    if (Math.hypot(to[0] - from[0], to[1] - from[1]) > 6) {
      const side = (turn) => [to[0] - size * Math.cos(angle + turn), to[1] - size * Math.sin(angle + turn)];
      line(pen, [side(0.45), to, side(-0.45)], colour, 1.8);
    }
    pen.fillStyle = colour;
    pen.fillText(name, to[0] + 9 * Math.cos(angle) - 3, to[1] + 9 * Math.sin(angle) + 4);
  }

  // The directions of the world and of gravity, at the corner, turned as the scene is.
  function drawDirections(pen, project, height) {
    const centre = project(...data.centre);
    const direction = (v) => {
      const p = project(...v.map((x, k) => data.centre[k] + 0.05 * data.radius * x));
      const scale = 34 / (0.05 * data.radius * Math.min(pen.canvas.clientWidth, height) / (2.25 * data.radius) * camera.zoom);
      return [52 + scale * (p[0] - centre[0]), height - 76 + scale * (p[1] - centre[1])];
    };
    pen.font = "12px system-ui, sans-serif";
    data.axes.forEach((axis, k) => drawArrow(pen, [52, height - 76], direction(axis), AXES[k], "xyz"[k]));
    if (data.gravity) {
      const from = [52, height - 76], to = direction(data.gravity);
      const shift = (p) => [p[0] + 78, p[1]];
      drawArrow(pen, shift(from), shift(to), FAINT, "g");
    }
  }

  function drawRobot(pen, project) {
    const flat = pictures[shown];
    if (!flat) return;
    const place = (k) => project(flat[3 * k], flat[3 * k + 1], flat[3 * k + 2]);
    const under = (k) => project(flat[3 * k], flat[3 * k + 1], data.ground);
    pen.lineCap = pen.lineJoin = "round";
    if (hasGround()) for (const limb of data.limbs) line(pen, limb.map(under), SHADOW, 6);
    const parts = [];
    for (const limb of data.limbs) {
      const places = limb.map(place);
      for (let k = 1; k < places.length; k += 1) {
        parts.push([(places[k - 1][2] + places[k][2]) / 2, () => {
          line(pen, [places[k - 1], places[k]], "#fff", 9);
          line(pen, [places[k - 1], places[k]], BODY, 5.5);
        }]);
      }
    }
    for (const [from, to] of data.tails.map((tail) => tail.map(place))) {
      parts.push([(from[2] + to[2]) / 2, () => { line(pen, [from, to], "#fff", 6); line(pen, [from, to], TAIL, 3.2); }]);
      parts.push([to[2], () => dot(pen, to, 4.5, TAIL, "#fff")]);
    }
    const nearer = 0.03 * data.radius; // a joint is drawn over the limbs that meet in it
    for (const [square, joints] of [[false, data.revolute], [true, data.prismatic]]) {
      for (const joint of joints) {
        const at = place(joint);
        parts.push([at[2] + nearer, () => dot(pen, at, 5.5, "#fff", BODY, square)]);
      }
    }
    const base = place(data.base);
    parts.push([base[2] + nearer / 2, () => dot(pen, base, 7.5, INK, "#fff", true)]);
    parts.sort((a, b) => a[0] - b[0]).forEach((part) => part[1]());
  }

  function dot(pen, at, size, fill, edge, square) {
    pen.beginPath();
    if (square) pen.rect(at[0] - size, at[1] - size, 2 * size, 2 * size);
    else pen.arc(at[0], at[1], size, 0, 2 * Math.PI);
    pen.fillStyle = fill;
    pen.strokeStyle = edge;
    pen.lineWidth = 2;
    pen.fill();
    pen.stroke();
  }

  function drawScene() {
    const { pen, width, height } = sized(element("scene"));
    if (!width || !height) return;
    const project = projector(width, height);
    const along = (path, end) => path.slice(0, end).map((p) => p && project(...p));
    drawGround(pen, project);
    if (element("traces").checked) {
      if (wanted) line(pen, along(wanted), WANTED, 1.4, [6, 4]);
      if (trace) line(pen, along(trace), "#f0c4ca", 1.4);
    }
    drawRobot(pen, project);
    if (trace) {
      if (element("traces").checked) line(pen, along(trace, shown + 1), ACCENT, 2.2);
      if (trace[shown]) dot(pen, project(...trace[shown]), 5, ACCENT, "#fff");
    }
    if (wanted && wanted[shown] && element("traces").checked) dot(pen, project(...wanted[shown]), 3.5, WANTED, "#fff");
    drawDirections(pen, project, height);
    pen.fillStyle = FAINT;
    pen.font = "12px system-ui, sans-serif";
    pen.fillText(`grid ${data.grid} m`, 16, 18);
    if (!pictures[shown]) pen.fillText("the robot has no place at this time", 16, 36);
  }

  // --- the charts ------------------------------------------------------------------------------------------------

  const LEFT = 46, RIGHT = 6, TOP = 6, BOTTOM = 18;
  const charts = data.charts.map((chart) => {
    const block = document.createElement("div"), heading = document.createElement("h2");
    const canvas = document.createElement("canvas"), list = document.createElement("ul");
    block.className = "chart";
    heading.textContent = chart.label;
    for (const part of [heading, canvas, list]) block.appendChild(part);
    element("charts").appendChild(block);
    const values = chart.curves.filter((curve) => curve.name).map((curve) => {
      const entry = document.createElement("li"), mark = document.createElement("i"), value = document.createElement("b");
      mark.style.background = curve.colour;
      entry.appendChild(mark);
      entry.appendChild(document.createTextNode(`${curve.name} `));
      entry.appendChild(value);
      list.appendChild(entry);
      return { curve, value };
    });
    const own = { chart, canvas, values, image: document.createElement("canvas") };
    const seek = (event) => {
      const inside = canvas.clientWidth - LEFT - RIGHT;
      const share = (event.offsetX - LEFT) / inside;
      if (inside > 0 && (event.buttons & 1)) { pause(); goTo(times[0] + share * (times[last] - times[0])); }
    };
    canvas.addEventListener("pointerdown", seek);
    canvas.addEventListener("pointermove", seek);
    return own;
  });

  // The last place of an ascending list that is not beyond a value.
  function placeOf(list, value) {
    let low = 0, high = list.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (list[middle] <= value) low = middle; else high = middle - 1;
    }
    return low;
  }

  function scales(chart, width, height) {
    const [x0, x1] = data.span, [y0, y1] = chart.range;
    const inside = Math.max(1, width - LEFT - RIGHT), high = Math.max(1, height - TOP - BOTTOM);
    return {
      x: (t) => LEFT + (t - x0) / ((x1 - x0) || 1) * inside,
      y: (v) => TOP + (y1 - v) / ((y1 - y0) || 1) * high,
    };
  }

  function drawAxes(own) {
    const { pen, width, height } = sized(own.canvas), { chart } = own, { x, y } = scales(chart, width, height);
    pen.font = "11px system-ui, sans-serif";
    pen.fillStyle = FAINT;
    pen.textAlign = "right";
    for (const tick of chart.ticks) {
      line(pen, [[LEFT, y(tick)], [width - RIGHT, y(tick)]], GRID, 1);
      pen.fillText(String(tick), LEFT - 5, y(tick) + 4);
    }
    pen.textAlign = "center";
    for (const tick of data.ticks) pen.fillText(String(tick), x(tick), height - 4);
    pen.textAlign = "left";
    for (const limit of chart.limits) line(pen, [[LEFT, y(limit)], [width - RIGHT, y(limit)]], FAINT, 1, [5, 3]);
    for (const curve of chart.curves) {
      const places = curve.x.map((t, k) => curve.y[k] === null ? null : [x(t), y(curve.y[k])]);
      line(pen, places, curve.colour, curve.dashed ? 1 : 1.5, curve.dashed ? [4, 3] : []);
    }
    own.image.width = own.canvas.width;
    own.image.height = own.canvas.height;
    if (own.canvas.width && own.canvas.height) own.image.getContext("2d").drawImage(own.canvas, 0, 0);
  }

  // The curves stay, drawn once; the line of the time and the values move.
  function drawChart(own) {
    const { pen, width, height } = sized(own.canvas);
    if (own.image.width && own.image.height) pen.drawImage(own.image, 0, 0, width, height);
    const at = scales(own.chart, width, height).x(times[shown]);
    line(pen, [[at, TOP], [at, height - BOTTOM]], INK, 1);
    for (const { curve, value } of own.values) {
      const y = curve.y[placeOf(curve.x, times[shown])];
      value.textContent = y === null || y === undefined ? "" : y.toPrecision(3);
    }
  }

  // --- time ------------------------------------------------------------------------------------------------------

  function goTo(time) {
    now = Math.min(Math.max(time, times[0]), times[last]);
    shown = placeOf(times, now + 1e-9 * (1 + Math.abs(now)));
    draw();
  }

  function draw() {
    drawScene();
    charts.forEach(drawChart);
    element("slider").value = String(shown);
    element("clock").textContent = `${times[shown].toFixed(3)} s`;
  }

  function redraw() { charts.forEach(drawAxes); draw(); }

  function play() {
    if (!last) return;
    if (shown === last) goTo(times[0]);
    playing = true; before = null; held = 0;
    element("play").textContent = "Pause";
    window.requestAnimationFrame(tick);
  }

  function pause() {
    playing = false;
    element("play").textContent = "Play";
  }

  function tick(stamp) {
    if (!playing) return;
    const passed = before === null ? 0 : Math.min((stamp - before) / 1000, 0.25);
    before = stamp;
    if (now >= times[last]) {
      held += passed;
      if (held > HOLD) { held = 0; goTo(times[0]); }
    } else {
      goTo(now + speed * passed);
    }
    window.requestAnimationFrame(tick);
  }

  const step = (count) => { pause(); goTo(times[Math.min(Math.max(shown + count, 0), last)]); };

  // --- hands -----------------------------------------------------------------------------------------------------

  const zoomBy = (factor) => { camera.zoom = Math.min(Math.max(camera.zoom * factor, 0.1), 40); drawScene(); };
  const view = () => { resetCamera(); drawScene(); };
  const scene = element("scene"), hands = new Map();
  const spread = () => { const [a, b] = [...hands.values()]; return Math.hypot(a[0] - b[0], a[1] - b[1]); };

  scene.addEventListener("pointerdown", (event) => {
    hands.set(event.pointerId, [event.clientX, event.clientY]);
    if (scene.setPointerCapture) scene.setPointerCapture(event.pointerId);
  });
  scene.addEventListener("pointermove", (event) => {
    const from = hands.get(event.pointerId);
    if (!from) return;
    const dx = event.clientX - from[0], dy = event.clientY - from[1], old = hands.size === 2 ? spread() : 0;
    hands.set(event.pointerId, [event.clientX, event.clientY]);
    if (hands.size === 2) { // two fingers zoom and move
      if (old > 0) camera.zoom = Math.min(Math.max(camera.zoom * spread() / old, 0.1), 40);
      camera.x += dx / 2; camera.y += dy / 2;
    } else if (event.shiftKey || (event.buttons & 6)) {
      camera.x += dx; camera.y += dy;
    } else {
      camera.turn -= 0.008 * dx;
      camera.rise = Math.min(Math.max(camera.rise + 0.008 * dy, -Math.PI / 2), Math.PI / 2);
    }
    drawScene();
  });
  for (const kind of ["pointerup", "pointercancel"]) scene.addEventListener(kind, (event) => hands.delete(event.pointerId));
  scene.addEventListener("contextmenu", (event) => event.preventDefault());
  scene.addEventListener("wheel", (event) => { event.preventDefault(); zoomBy(Math.exp(-0.0015 * event.deltaY)); }, { passive: false });

  const toggle = () => (playing ? pause() : play());
  const KEYS = {
    " ": toggle, ArrowRight: () => step(1), ArrowLeft: () => step(-1), Home: () => step(-last), End: () => step(last),
    "+": () => zoomBy(1.2), "=": () => zoomBy(1.2), "-": () => zoomBy(1 / 1.2), "0": view,
  };
  document.addEventListener("keydown", (event) => {
    const busy = ["INPUT", "SELECT", "BUTTON"].includes(event.target && event.target.tagName);
    if (busy || event.ctrlKey || event.metaKey || event.altKey || !Object.hasOwn(KEYS, event.key)) return;
    event.preventDefault();
    KEYS[event.key]();
  });
  element("play").addEventListener("click", toggle);
  element("view").addEventListener("click", view);
  element("traces").addEventListener("change", drawScene);
  element("slider").addEventListener("input", () => { pause(); goTo(times[Number(element("slider").value)]); });
  element("speed").addEventListener("change", () => { speed = Number(element("speed").value); });
  window.addEventListener("resize", redraw);

  // --- the beginning ---------------------------------------------------------------------------------------------

  element("title").textContent = data.title;
  element("note").textContent = data.note;
  element("slider").max = String(last);
  for (const rate of [0.1, 0.25, 0.5, 1, 2, 5]) {
    const option = document.createElement("option");
    option.value = String(rate);
    option.textContent = `${rate} x`;
    option.selected = rate === 1;
    element("speed").appendChild(option);
  }
  redraw();
  const asked = /^#t=([0-9.]+)$/.exec(window.location.hash); // page.html#t=1.5 stands still at that time
  if (asked) goTo(Number(asked[1]));
  else if (!window.matchMedia("(prefers-reduced-motion: reduce)").matches) play();
})();
