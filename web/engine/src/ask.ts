// Documents that a page asks for, once or again and again while it is looked at.

import {useCallback, useEffect, useRef, useState} from "preact/hooks";

export interface Asked<T> {
  value: T | undefined;
  error: string;
  again: () => void;
}

// `of` says what is asked for; if it changes, what was answered before is gone. `every`: milliseconds, 0 for once.
// There is one request at a time, and none while the page is hidden.
export function useAsked<T>(of: string, question: () => Promise<T>, every = 0): Asked<T> {
  const [answer, set] = useState<{of: string; value?: T; error: string}>({of, error: ""});
  const [turn, set_turn] = useState(0);
  const asked = useRef(question);
  asked.current = question;
  useEffect(() => {
    let over = false;
    let timer = 0;
    let has_asked = false;
    const next = () => {
      if (!over && every > 0) timer = window.setTimeout(run, every);
    };
    const run = async () => {
      if (document.hidden && has_asked) return next();
      has_asked = true;
      try {
        const value = await asked.current();
        if (!over) set({of, value, error: ""});
      } catch (error) {
        if (!over) set(before => ({of, value: before.of === of ? before.value : undefined, error: (error as Error).message}));
      }
      next();
    };
    void run();
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [of, every, turn]);
  const again = useCallback(() => set_turn(number => number + 1), []);
  const now = answer.of === of;
  return {value: now ? answer.value : undefined, error: now ? answer.error : "", again};
}
