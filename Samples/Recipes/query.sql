-- What the migrated sample holds, whatever primary keys its rows have: sqlite3 -readonly Recipes.sqlite < query.sql
.mode list
.headers off

.print == Recipes: name, summary, minutes, servings, source, ingredient count, categories, created
SELECT r.ZNAME, iif(instr(CAST(r.ZSUMMARY AS BLOB), X'00') > 0, hex(r.ZSUMMARY), quote(replace(r.ZSUMMARY, char(10), '<LF>'))), quote(r.ZPREPARATIONTIME), r.ZSERVINGS,
    quote(r.ZSOURCE), r.ZINGREDIENTCOUNT,
    (SELECT group_concat(quote(c.ZNAME), ' ') FROM Z_1DISHES d JOIN ZCATEGORY c ON c.Z_PK = d.Z_1CATEGORIES WHERE d.Z_7DISHES = r.Z_PK),
    r.ZCREATED
FROM ZRECIPE r ORDER BY r.ZNAME;

.print
.print == Ingredients in order: recipe, name, amount, unit
SELECT r.ZNAME, i.ZNAME, coalesce(CAST(i.ZAMOUNT AS TEXT), 'NULL'), quote(i.ZUNIT)
FROM ZINGREDIENT i JOIN ZRECIPE r ON r.Z_PK = i.ZRECIPE ORDER BY r.ZNAME, i.Z_FOK_RECIPE;

.print
.print == Steps in order: recipe, entity, text, seconds
SELECT r.ZNAME, e.Z_NAME, quote(s.ZTEXT), coalesce(CAST(s.ZSECONDS AS TEXT), 'NULL')
FROM ZSTEP s JOIN ZRECIPE r ON r.Z_PK = s.ZRECIPE JOIN Z_PRIMARYKEY e ON e.Z_ENT = s.Z_ENT ORDER BY r.ZNAME, s.Z_FOK_RECIPE;

.print
.print == Chefs: entity, name, birth year, email, favorites, recipes in order
SELECT e.Z_NAME, c.ZNAME, quote(c.ZBIRTHYEAR), quote(c.ZEMAIL),
    (SELECT group_concat(ZNAME, ', ') FROM (SELECT ZNAME FROM ZRECIPE WHERE Z3FAVORITES = c.Z_PK ORDER BY 1)),
    (SELECT group_concat(ZNAME, ', ') FROM (
        SELECT r.ZNAME FROM Z_3RECIPES a JOIN ZRECIPE r ON r.Z_PK = a.Z_7RECIPES WHERE a.Z_3AUTHORS = c.Z_PK ORDER BY a.Z_FOK_7RECIPES))
FROM ZCONTRIBUTOR c JOIN Z_PRIMARYKEY e ON e.Z_ENT = c.Z_ENT ORDER BY c.ZNAME;

.print
.print == Images: recipe, place and size of data
SELECT r.ZNAME, hex(substr(i.ZDATA, 1, 1)), length(i.ZDATA)
FROM ZIMAGE i LEFT JOIN ZRECIPE r ON r.Z_PK = i.ZRECIPE ORDER BY r.ZNAME;

.print
.print == Thumbnails and identifiers
SELECT ZNAME, hex(ZIDENTIFIER), length(ZTHUMBNAIL) FROM ZRECIPE WHERE ZTHUMBNAIL IS NOT NULL ORDER BY ZNAME;

.print
.print == Entities: number, name, number of the parent
SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY WHERE Z_ENT < 16000 ORDER BY Z_ENT;
