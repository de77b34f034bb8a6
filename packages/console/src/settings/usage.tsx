import { useCallback, useState } from "preact/hooks";
import { answer, api } from "../shared/api.ts";
import { useLoaded } from "./session.ts";
import { Section, Show, Time } from "./ui.tsx";
import { UsageChart } from "./usage-chart.tsx";
import { byDay, byHour, totalOf } from "./usage-rows.ts";

const spans = [
  [24, "24 hours"],
  [168, "7 days"],
] as const;

const numbers = new Intl.NumberFormat();

/** What the account has asked of /v1, as a chart and as a table. */
export function Usage() {
  const [hours, setHours] = useState<(typeof spans)[number][0]>(24);
  const load = useCallback(() => answer(api.GET("/usage", { params: { query: { hours } } })), [hours]);
  const usage = useLoaded(load);
  return (
    <Section title="Usage">
      <fieldset class="switch">
        <legend>Period</legend>
        {spans.map(([value, text]) => (
          <label key={value}>
            <input type="radio" name="hours" checked={hours === value} onChange={() => setHours(value)} />
            {text}
          </label>
        ))}
        <button type="button" onClick={() => void usage.reload()}>
          Refresh
        </button>
      </fieldset>
      <Show of={usage}>
        {({ hours: counts, window }) => {
          const total = totalOf(counts);
          const rows = counts.length > 24 ? byDay(counts) : byHour(counts);
          return (
            <>
              <p>
                This window: {numbers.format(window.limit - window.remaining)} of {numbers.format(window.limit)}{" "}
                requests
                {window.resetsAt ? (
                  <>
                    ; it ends <Time at={window.resetsAt} />.
                  </>
                ) : (
                  "; it begins with the next request."
                )}
              </p>
              <UsageChart
                counts={counts}
                label={`Requests by hour: ${total.requests} in all, ${total.rateLimited} past the allowance, ${total.errors} errors. The table has the same figures.`}
              />
              <details>
                <summary>The same as a table, {counts.length > 24 ? "by day" : "by hour"}</summary>
                {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keyboard. */}
                <section class="scroll" tabIndex={0} aria-label="Usage as a table">
                  <table>
                    <caption>Requests of this account. Counts are up to 15 seconds old.</caption>
                    <thead>
                      <tr>
                        <th scope="col">From</th>
                        <th scope="col">Requests</th>
                        <th scope="col">Past the allowance (429)</th>
                        <th scope="col">Errors</th>
                      </tr>
                    </thead>
                    <tbody>
                      {rows.map((row) => (
                        <tr key={row.label}>
                          <th scope="row">{row.label}</th>
                          <td>{numbers.format(row.requests)}</td>
                          <td>{numbers.format(row.rateLimited)}</td>
                          <td>{numbers.format(row.errors)}</td>
                        </tr>
                      ))}
                    </tbody>
                  </table>
                </section>
              </details>
            </>
          );
        }}
      </Show>
    </Section>
  );
}
