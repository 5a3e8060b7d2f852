import type { Words } from "./triage-words.ts";

export const french: Words = {
  spoken:
    /\b(?:le|la|les|une?|des|du|de|et|ne|pas|je|est|sont|avec|pour|dans|sur|en|tous|fait|erreurs?|vous|tu)(?![a-zà-ÿ])|[éèêçà]|[cjlnd]['’][a-zà-ÿ]/,
  calm: [
    /(?<!\p{L})(?:aucune?|sans|zéro|0|pas d['e]|plus d['e]) ?(?:[\p{L}]+ ){0,2}(?:erreurs?|échecs?|problèmes?|avertissements?)/giu,
    /(?:messages?|gestion|codes?|page|traitement) d(?:'|es |e l')(?:erreurs?)/giu,
    /(?:corrig\p{L}*|résol\p{L}*|répar\p{L}*|supprim\p{L}*|évit\p{L}*|captur\p{L}*) (?:[^\s,;:]+ ){0,4}?(?:l')?(?:erreurs?|échou\p{L}*|échecs?|problèmes?|plantages?)/giu,
    /(?<!\p{L})(?:si|quand|lorsque|lorsqu'|au cas où|afin que|ne .{1,20} plus|avant)(?!\p{L})[^,;]*/giu,
    /(?:erreurs?|échecs?|problèmes?) .{0,20}(?:corrigé|résolu|disparu)\p{L}*/giu,
    /(?:tests?|requêtes?) qui [^,;:]*/giu,
  ],
  failure: [
    /(?<!\p{L})(?:refusée?s?|rejetée?s?|sans succès|expirée?s?|ne répond(?:ent)? (?:pas|plus)|en rouge|inaccessible|indisponible|bloquée?s? par)(?!\p{L})/iu,
    /(?<!\p{L})(?:échoue|échouent|échoué|plante|plantent|planté)(?!\p{L})/iu,
    /(?<!\p{L})(?:[1-9]\d*|une?|deux|trois|plusieurs|quelques) (?:[\p{L}]+ ){0,2}(?:erreurs?|échecs?)(?!\p{L})/iu,
    /(?:n'ai|n'a|n'avons|n'ont) (?:malheureusement )?pas (?:pu|réussi|abouti|fonctionné|marché)|ne (?:fonctionne|marche|compile|démarre|passe|parviens|se lance)(?:nt)? (?:toujours |encore )?pas|je ne peux (?:malheureusement )?pas|impossible d(?:e|')/iu,
    /(?:s'est produite?|est survenue?|se produit)|est introuvable|reste (?:blanche?|bloquée?|vide|rouge)|permission refusée|accès refusé|espace insuffisant/iu,
    /(?:serveur|registre|dépôt|proxy|service)[^,;]{0,20} répond (?:par |avec )?(?:une? )?[45]\d\d/iu,
    /malheureusement.{0,100}(?<!\p{L})(?:pas|plus|aucune?|jamais|manque)(?!\p{L})/iu,
  ],
  lack: /ne (?:trouve|vois|sais) pas|n'ai pas trouvé/iu,
  past: /a échoué|ont échoué|échouait|s'est produite?/iu,
  mended:
    /(?:corrigé|résolu|réparé)e?s?(?!\p{L})|(?:maintenant|désormais|tous|toutes|tout) .{0,30}(?:passent?|fonctionnent?|verte?)/iu,
  apology:
    /désolée?(?!\p{L})|je m'excuse|mes excuses|(?:c'est|c'était) (?:mon erreur|ma faute)|excusez-moi|excuse-moi|j'aurais dû|toutes mes excuses|navrée?(?!\p{L})/iu,
  asks: /(?:dites|dis)-moi (?:lequel|laquelle|si|quel|comment)|merci de (?:confirmer|préciser)/iu,
  addressed:
    /(?<!\p{L})(?:vous|votre|vos|tu|ton|ta|dois-je|puis-je|souhaitez|voulez|veux-tu|d'accord|faut-il|préférez)(?!\p{L})/iu,
  courtesy: /autre chose|(?:d'autres )?questions/iu,
};
