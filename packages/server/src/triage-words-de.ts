import type { Words } from "./triage-words.ts";

export const german: Words = {
  spoken:
    /\b(?:der|die|das|den|dem|des|und|oder|ist|sind|war|nicht|keine?|ich|wir|eine?|mit|auf|von|zu[mr]?|im|bei|noch|jetzt|soll|kann|konnte|wurde|habe|hat|gibt|entschuldig|fertig|leider|tut|fehl)|[äöüß]/,
  calm: [
    /\b(?:kein(?:e|en|er|em)?|ohne|null|0|nicht ein(?:en|e)?) (?:[\wäöüß-]+ ){0,2}(?:fehler\w*|fehlgeschlagen\w*|fehlschl\w*|abst[uü]rz\w*|warnung\w*|probleme?)/gi,
    /\bfehler(?:meldung|behandlung|text|code|seite|fall|protokoll|bericht)\w*/gi,
    /\b(?:behob\w*|behebt|beheben|gelöst|korrigier\w*|repariert\w*|beseitigt\w*|entfernt\w*|abgefangen\w*|fängt) (?:[^\s,;:]+ ){0,4}?(?:fehler\w*|fehlgeschlagen\w*|absturz)/gi,
    /\bfehler\b[^,;]{0,40}\b(?:behoben|gelöst|korrigiert|beseitigt|weg|verschwunden|abgefangen|erledigt|protokolliert)\b/gi,
    /\b(?:fehlgeschlagene[nrs]?|fehlschlagende[nrs]?) \w+/gi,
    /\b(?:wenn|falls|sobald|sofern|damit|bevor)\b[^,;]*/gi,
    /\b(?:früher|bisher|vorher|zuvor|nicht mehr)\b[^,;]*/gi,
    /^läuft\b[^,;]*/gi,
  ],
  failure: [
    /\b(?:abgelehnt|zurückgewiesen|verweigert|schiefgegangen|ging schief|erfolglos|ohne erfolg|kaputt|nicht erreichbar|nicht fertig|komme (?:hier )?nicht weiter|hängt sich auf|läuft (?:noch |hier )?nicht|abgelaufen)\b/i,
    /\blässt sich\b[^,;]{0,50}\bnicht\b/i,
    /\b(?:schl[aä]gt|schlagen|schlug|schlugen)\b[^,;]{0,40}\bfehl\b/i,
    /\b(?:fehlgeschlagen|gescheitert|abgebrochen|abgestürzt|misslungen)\b/i,
    /\b(?:[1-9]\d*|ein|zwei|drei|vier|fünf|mehrere|einige|alle) (?:[\wäöüß-]+ ){0,2}fehler\b/i,
    /\b(?:ich|wir) (?:konnte|konnten|kann|können)\b[^,;]{0,60}\b(?:nicht|kein\w*)\b|\b(?:konnte|konnten|kann|können) (?:ich|wir)\b[^,;]{0,60}\b(?:nicht|kein\w*)\b|\bkonnten?\b[^,;]{0,60}\bnicht\b[^,;]{0,40}\bwerden\b/i,
    /\b(?:nicht (?:geklappt|funktioniert|gelungen|möglich|geschafft)|klappt (?:noch )?nicht|funktioniert\b[^,;]{0,20}\bnicht|geht (?:noch )?nicht|kompiliert (?:noch )?nicht|startet (?:noch )?nicht)\b/i,
    /\b(?:ein|der|noch) (?:[\w-]+[ -])?fehler (?:ist |wird )?(?:auf(?:getreten|tritt)?|tritt)\b/i,
    /\bfehler aufgetreten\b|\bsteht ein (?:[\w-]+[ -])?fehler\b/i,
    /-fehler\b/i,
    /\b(?:server|registry|proxy|dienst|host)\b[^,;]{0,20}\b(?:antwortet|antwortete)(?: mit| nur mit)? [45]\d\d\b/i,
    /\bbleibt (?:weiß|leer|schwarz|hängen|rot|stehen)\b|\bstürzt\b.{0,40}\bab\b|\b(?:zeitüberschreitung|kein speicherplatz|zugriff verweigert|ist gesperrt|bricht ab)\b/i,
    /\bleider\b.{0,100}\b(?:nicht|kein\w*|noch|fehlt)\b/i,
  ],
  lack: /\b(?:finde|sehe|weiß|erkenne|finden|sehen|erkennen)\b.{0,40}\bnicht\b|\bfehlt mir\b/i,
  past: /\b(?:schlug|schlugen|war|waren|lief|stürzte|brach)\b/i,
  mended:
    /\b(?:behoben|gelöst|korrigiert|läuft (?:jetzt|wieder|nun)|laufen (?:jetzt|wieder|alle|durch)|wieder grün|jetzt grün|geht jetzt)\b/i,
  remedy: {
    cause: /\b(?:weil|da|wegen|lag an)\b/i,
    act: /\bich habe?\b.{0,80}\b(?:geändert|ergänzt|verschoben|aktualisiert|erhöht|ersetzt|umgeschrieben|gesetzt|entfernt|angepasst|hinzugefügt)\b/i,
  },
  apology:
    /\b(?:entschuldig\w*|verzeih\w*|tut mir leid|mein (?:fehler|versehen)|sorry|da habe ich mich vertan|ich hätte (?:[\wäöüß-]+ ){0,4}(?:sollen|müssen))(?![\wäöüß])/i,
  asks: /\bsag(?:e|en sie)? mir bitte\b|\bbitte (?:bestätig\w*|entscheid\w*|wähl\w*)|\bgib (?:mir )?(?:bitte )?bescheid, (?:ob|welche\w*|wie|was)\b/i,
  addressed:
    /(?<![\wäöüß])(?:du|dir|dich|dein\w*|sie|ihnen|ihr|soll ich|sollen wir|darf ich|kann ich|möchtest|willst|einverstanden|okay|ok)(?![\wäöüß])/i,
  courtesy: /\bsonst noch (?:etwas|was)\b|\bnoch fragen\b/i,
};
