/** What is said as long as the person is away, so that they do not forget it. @param self how they call moth's command */
export function awayWords(self: string): string {
  return `You are away: some agents ask through moth alone. Back at their windows? ${self} config away off`;
}
