// The way through a list that is longer than what is shown of it at once.

export function More(props: {start: string; is_first: boolean; next: string | null | undefined; go: (place: string) => void}) {
  const {next} = props;
  if (props.is_first && !next) return null;
  return (
    <p class="buttons">
      {!props.is_first && <button type="button" onClick={() => props.go("")}>{props.start}</button>}
      {next && <button type="button" onClick={() => props.go(next)}>More</button>}
    </p>
  );
}
