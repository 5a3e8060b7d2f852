const SMALL =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const TENS = " ten twenty thirty forty fifty sixty seventy eighty ninety".split(" ");

/** A whole number in words; from a hundred on in digits. */
export function inWords(count: number): string {
  if (count < 20) return SMALL[count] ?? String(count);
  if (count >= 100) return String(count);
  const rest = count % 10;
  return `${TENS[Math.floor(count / 10)]}${rest ? `-${SMALL[rest]}` : ""}`;
}

/** How long something took, as one would say it: "forty seconds", "eleven minutes", "an hour". */
export function spokenTime(milliseconds: number): string {
  const seconds = Math.max(1, Math.round(milliseconds / 1000));
  if (seconds < 10) return seconds === 1 ? "one second" : `${inWords(seconds)} seconds`;
  if (seconds < 55) return `${inWords(Math.round(seconds / 5) * 5)} seconds`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return minutes === 1 ? "a minute" : `${inWords(minutes)} minutes`;
  const hours = Math.round(minutes / 60);
  return hours === 1 ? "an hour" : `${inWords(hours)} hours`;
}
