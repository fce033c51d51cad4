#include "CICU.h"

#include <stdlib.h>
#include <string.h>
#include <unicode/uchar.h>
#include <unicode/udat.h>
#include <unicode/uloc.h>
#include <unicode/unorm2.h>
#include <unicode/uregex.h>
#include <unicode/ustring.h>
#include <unicode/uversion.h>

void ferry_icu_version(char *text) {
    UVersionInfo version;
    u_getVersion(version);
    u_versionToString(version, text);
}

/* The scalars of at most eight units, which are well-formed. */
static ferry_scalars scalars(const UChar *units, int32_t length) {
    uint32_t found[4] = {0, 0, 0, 0};
    int32_t count = 0, index = 0;
    while (index < length && count < 4) {
        UChar32 scalar;
        U16_NEXT(units, index, length, scalar);
        found[count++] = (uint32_t)scalar;
    }
    return (ferry_scalars){count, found[0], found[1], found[2], found[3]};
}

ferry_scalars ferry_case_folding(uint32_t scalar) {
    UChar source[2], folded[8];
    int32_t length = 0;
    UErrorCode error = U_ZERO_ERROR;
    if (scalar > 0x10FFFF) return (ferry_scalars){1, scalar, 0, 0, 0};
    U16_APPEND_UNSAFE(source, length, scalar);
    int32_t count = u_strFoldCase(folded, 8, source, length, U_FOLD_CASE_DEFAULT, &error);
    if (U_FAILURE(error)) return (ferry_scalars){1, scalar, 0, 0, 0};
    return scalars(folded, count);
}

ferry_scalars ferry_canonical_decomposition(uint32_t scalar) {
    UChar parts[8];
    UErrorCode error = U_ZERO_ERROR;
    const UNormalizer2 *form = unorm2_getNFDInstance(&error);
    if (U_FAILURE(error)) return (ferry_scalars){0, 0, 0, 0, 0};
    int32_t count = unorm2_getDecomposition(form, (UChar32)scalar, parts, 8, &error);
    if (U_FAILURE(error) || count < 0) return (ferry_scalars){0, 0, 0, 0, 0};
    return scalars(parts, count);
}

uint8_t ferry_combining_class(uint32_t scalar) { return u_getCombiningClass((UChar32)scalar); }

bool ferry_extends_grapheme(uint32_t scalar) { return u_hasBinaryProperty((UChar32)scalar, UCHAR_GRAPHEME_EXTEND); }

ferry_pattern *ferry_pattern_open(const uint16_t *pattern, int32_t length, bool ignores_case) {
    UErrorCode error = U_ZERO_ERROR;
    UParseError place;
    uint32_t flags = ignores_case ? UREGEX_CASE_INSENSITIVE : 0;
    URegularExpression *made = uregex_open(pattern, length, flags, &place, &error);
    if (U_SUCCESS(error)) return (ferry_pattern *)made;
    uregex_close(made);
    return NULL;
}

ferry_pattern *ferry_pattern_clone(const ferry_pattern *pattern) {
    UErrorCode error = U_ZERO_ERROR;
    URegularExpression *made = uregex_clone((const URegularExpression *)pattern, &error);
    if (U_SUCCESS(error)) return (ferry_pattern *)made;
    uregex_close(made);
    return NULL;
}

void ferry_pattern_close(ferry_pattern *pattern) { uregex_close((URegularExpression *)pattern); }

int32_t ferry_pattern_matches(ferry_pattern *pattern, const uint16_t *text, int32_t length, int32_t most_steps) {
    URegularExpression *expression = (URegularExpression *)pattern;
    UErrorCode error = U_ZERO_ERROR;
    uregex_setTimeLimit(expression, most_steps, &error);
    uregex_setText(expression, text, length, &error);
    UBool isMatching = uregex_lookingAt(expression, 0, &error);
    int32_t result = U_FAILURE(error) ? -1 : isMatching != 0;
    /* The caller's text is not there any more when this has ended. */
    static const UChar nothing[1] = {0};
    error = U_ZERO_ERROR;
    uregex_setText(expression, nothing, 0, &error);
    return result;
}

struct ferry_calendar_names {
    UDateFormat *format;
};

ferry_calendar_names *ferry_calendar_names_open(const char *locale) {
    UErrorCode error = U_ZERO_ERROR;
    char gregorian[ULOC_FULLNAME_CAPACITY];
    ferry_calendar_names *names = malloc(sizeof *names);
    if (names == NULL || strlen(locale) > 64) {
        free(names);
        return NULL;
    }
    strcpy(gregorian, locale);
    uloc_setKeywordValue("calendar", "gregorian", gregorian, sizeof gregorian, &error);
    names->format = udat_open(UDAT_NONE, UDAT_NONE, gregorian, NULL, 0, NULL, 0, &error);
    if (U_SUCCESS(error)) return names;
    udat_close(names->format);
    free(names);
    return NULL;
}

void ferry_calendar_names_close(ferry_calendar_names *names) {
    udat_close(names->format);
    free(names);
}

int32_t ferry_calendar_name(
    const ferry_calendar_names *names, ferry_calendar_list list, int32_t index, uint16_t *units, int32_t capacity) {
    static const UDateFormatSymbolType types[] = {
        [FERRY_MONTHS] = UDAT_MONTHS,
        [FERRY_STANDALONE_MONTHS] = UDAT_STANDALONE_MONTHS,
        [FERRY_SHORT_MONTHS] = UDAT_SHORT_MONTHS,
        [FERRY_STANDALONE_SHORT_MONTHS] = UDAT_STANDALONE_SHORT_MONTHS,
        [FERRY_WEEKDAYS] = UDAT_WEEKDAYS,
        [FERRY_STANDALONE_WEEKDAYS] = UDAT_STANDALONE_WEEKDAYS,
        [FERRY_SHORT_WEEKDAYS] = UDAT_SHORT_WEEKDAYS,
        [FERRY_STANDALONE_SHORT_WEEKDAYS] = UDAT_STANDALONE_SHORT_WEEKDAYS,
        [FERRY_DAY_PERIODS] = UDAT_AM_PMS,
    };
    bool isWeekday = list >= FERRY_WEEKDAYS && list <= FERRY_STANDALONE_SHORT_WEEKDAYS;
    /* ICU's list of weekdays begins with an empty name, so that Sunday is 1. */
    int32_t place = index + (isWeekday ? 1 : 0);
    if (index < 0 || place >= udat_countSymbols(names->format, types[list])) return -1;
    UErrorCode error = U_ZERO_ERROR;
    int32_t length = udat_getSymbols(names->format, types[list], place, units, capacity, &error);
    return U_SUCCESS(error) || error == U_BUFFER_OVERFLOW_ERROR ? length : -1;
}

bool ferry_has_language(const char *language) {
    size_t length = strlen(language);
    int32_t count = uloc_countAvailable();
    for (int32_t index = 0; index < count; index++) {
        const char *known = uloc_getAvailable(index);
        if (strncmp(known, language, length) == 0 && (known[length] == 0 || known[length] == '_')) return true;
    }
    return false;
}
