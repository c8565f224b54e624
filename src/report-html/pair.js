// Two pictures on top of each other: a slider shows more of one or the other, a button lets them
// blink. Of the report and of the pages of scripts/compare, whose elements these are.

const BLINK = 500; // ms

// pair: an element with .stack (two img), input[type=range], button with the names as data-first
// and data-second, and output.
export function pair_controls(pair) {
   const stack = pair.querySelector(".stack"), range = pair.querySelector("input[type=range]");
   const button = pair.querySelector("button"), name = pair.querySelector("output");
   let timer = 0;
   const cut = () => stack.style.setProperty("--cut", range.value + "%");
   const stop = () => {
      clearInterval(timer);
      timer = 0;
      stack.classList.remove("whole", "hidden");
      name.textContent = "";
      button.setAttribute("aria-pressed", "false");
   };
   const turn = () => {
      if (!stack.isConnected)
         return stop();
      const second = !stack.classList.toggle("hidden");
      name.textContent = second ? button.dataset.second : button.dataset.first;
   };
   range.addEventListener("input", cut);
   button.addEventListener("click", () => {
      if (timer)
         return stop();
      stack.classList.add("whole");
      button.setAttribute("aria-pressed", "true");
      turn();
      timer = setInterval(turn, BLINK);
   });
   cut();
}
