import type { Words } from "./triage-words.ts";

export const spanish: Words = {
  spoken:
    /[¿¡ñ]|\b(?:el|la|los|las|una?|que|de|del|al|se|y|he|con|por|para|en|lo|siento|perd|listo|hecho|fall|errores)(?![a-zà-ÿ])|ción|est[áa]n?\b/,
  calm: [
    /(?:sin|ning[uú]n[ao]?|cero|0|ni un) (?:[\p{L}]+ ){0,2}(?:error(?:es)?|fall[oa]s?|fallidos?|fallidas?|problemas?|advertencias?)(?: ni [\p{L}]+)?/giu,
    /(?:fall[oa]s|fallid[oa]s|errores)\s*[:=]\s*(?:0|ninguno)/giu,
    /(?:manejo|gestión|tratamiento|mensajes?|códigos?|página|registro) (?:de |del |de los )?(?:error(?:es)?|fallos?)/giu,
    /(?:corregi\p{L}*|arregl\p{L}*|resuelt\p{L}*|resolv\p{L}*|solucion\p{L}*|repar\p{L}*|evit\p{L}*|captur\p{L}*) (?:[^\s,;:]+ ){0,5}?(?:error(?:es)?|fall\p{L}*|problemas?|bloque\p{L}*)/giu,
    /(?:error(?:es)?|fall[oa]s?|problemas?)\b[^,;]{0,20}(?:ya no|corregid\p{L}*|resuelt\p{L}*|solucionad\p{L}*|desapareci\p{L}*)/giu,
    /(?<!\p{L})(?:si|cuando|en caso de|para que|ya no|antes)(?!\p{L})[^,;]*/giu,
    /(?:tests?|pruebas?|peticiones) que [^,;]*/giu,
  ],
  failure: [
    /(?<!\p{L})(?:rechazad[oa]s?|denegad[oa]s?|sin éxito|imposible|no responde|se cae|se colgó|se cuelga|caducad[oa]|sin memoria|a medias|en rojo)(?!\p{L})/iu,
    /(?<!\p{L})(?:[1-9]\d*|un|dos|tres|cuatro|varios|varias|algunos|algunas|todos|todas) (?:[\p{L}]+ ){0,3}(?:fallan|fallaron|fallando|fallid[oa]s|han fallado|errores|error)(?!\p{L})/iu,
    /(?<!\p{L})(?:fallan|fallaron|falla|falló|fallando|fracasó) (?!rápido)/iu,
    /(?<!\p{L})(?:ha|han) (?:vuelto a )?(?:fallar|fallado|fracasado)/iu,
    /(?<!\p{L})(?:falló|fallaron|fallando)(?!\p{L})/iu,
    /(?<!\p{L})no (?:he |hemos |se |me |ha )?(?:(?<=se )puede|pude|pudo|pudimos|podido|puedo|logré|logrado|conseguí|conseguido|fue posible|es posible|funciona|funcionó|funcionado|compila|arranca|carga)(?!\p{L})/iu,
    /(?:sigue|siguen) (?:sin |fallando|en rojo|rot[oa]s?|dando)|no ha ido bien|no ha salido bien/iu,
    /(?:se produjo|se ha producido|ocurrió|ha ocurrido|apareció|hubo|aparece|da|dio|obtengo|lanza) (?:un |el |otro )?(?:error|fallo)/iu,
    /(?:servidor|registro|remoto|servicio|proxy)[^,;]{0,20} responde (?:con )?(?:un )?[45]\d\d|(?:está|queda|quedó) (?:bloquead|rot|colgad|en blanco)\p{L}*|permiso denegado|sin espacio|tiempo (?:de espera )?agotado/iu,
    /(?:lamentablemente|por desgracia|desafortunadamente).{0,100}(?<!\p{L})(?:no|sin|nunca|falta)(?!\p{L})/iu,
  ],
  lack: /no (?:encuentro|veo|sé|puedo (?:ver|encontrar|saber)|encontré)/iu,
  past: /falló|fallaron|fallaba|fallaban|ha fallado|se produjo|no funcionaba/iu,
  mended:
    /(?:ya|ahora|todo|todos|todas) .{0,30}(?:pasan?|funcionan?|verde|bien)|(?:corregido|arreglado|resuelto|solucionado)(?!\p{L})/iu,
  apology:
    /lo siento|(?<!\p{L})(?:perd[oó]n|perdona|perdone|disculpa|disculpas|disculpe|me disculpo)(?!\p{L})|(?:fue|es|ha sido) mi (?:error|culpa)|(?:error|culpa|fallo) m[ií][oa](?!\p{L})|debería haber|mi error/iu,
  asks: /(?:dime|indícame|confírmame|confirma|avísame) (?:por favor )?(?:cuál|qué|cómo|si (?:quieres|prefieres|debo))/iu,
  addressed:
    /¿\s*(?:quieres|quiere|prefieres|prefiere|puedes|puede|podrías|te parece|debo|deseas|usas|tienes|empiezo|sigo|continúo|lo hago)|(?<!\p{L})(?:usted|te|tu|tus|debo)(?!\p{L})/iu,
  courtesy: /algo más|alguna (?:otra )?(?:duda|pregunta)/iu,
};
