/*
 * What Ferry needs of ICU, in types of its own: ICU's headers collide with those of the copy that Foundation holds, so
 * that no Swift module may see both.
 *
 * Texts are UTF-16 without an end mark, with their lengths in units. Nothing here keeps a pointer of its caller.
 */
#ifndef FERRY_CICU_H
#define FERRY_CICU_H

#include <stdbool.h>
#include <stdint.h>

/* Up to four scalars: no folding and no canonical decomposition of a scalar has more. */
typedef struct {
    int32_t count;
    uint32_t first, second, third, fourth;
} ferry_scalars;

/* The version of the library, as in "72.1", in at most 20 bytes with the end mark. */
void ferry_icu_version(char *text);

/* The full case folding of a scalar; the scalar itself if it has none. */
ferry_scalars ferry_case_folding(uint32_t scalar);

/* The full canonical decomposition of a scalar; none if it is not decomposed. */
ferry_scalars ferry_canonical_decomposition(uint32_t scalar);

/* The canonical combining class: 0 for what is not reordered. */
uint8_t ferry_combining_class(uint32_t scalar);

/* Whether the scalar extends the character before it (Grapheme_Extend). */
bool ferry_extends_grapheme(uint32_t scalar);

/* A compiled regular expression; only one thread may use it at a time. */
typedef struct ferry_pattern ferry_pattern;

/* NULL if the pattern is malformed, or if there is no memory. */
ferry_pattern *ferry_pattern_open(const uint16_t *pattern, int32_t length, bool ignores_case);

/* Another one with the same compiled pattern, for another thread; NULL if there is no memory. */
ferry_pattern *ferry_pattern_clone(const ferry_pattern *pattern);

void ferry_pattern_close(ferry_pattern *pattern);

/*
 * 1 if the pattern matches at the start of the text, 0 if it does not, -1 if that takes more than `most_steps` units of
 * about 10 000 steps, or more memory than ICU allows itself.
 */
int32_t ferry_pattern_matches(ferry_pattern *pattern, const uint16_t *text, int32_t length, int32_t most_steps);

/* Lists of names in a calendar's order. */
typedef enum {
    FERRY_MONTHS,
    FERRY_STANDALONE_MONTHS,
    FERRY_SHORT_MONTHS,
    FERRY_STANDALONE_SHORT_MONTHS,
    FERRY_WEEKDAYS,
    FERRY_STANDALONE_WEEKDAYS,
    FERRY_SHORT_WEEKDAYS,
    FERRY_STANDALONE_SHORT_WEEKDAYS,
    FERRY_DAY_PERIODS,
} ferry_calendar_list;

/* The names of the Gregorian calendar in one language. */
typedef struct ferry_calendar_names ferry_calendar_names;

/* NULL if they cannot be had; of a locale that ICU does not know, those of its root. */
ferry_calendar_names *ferry_calendar_names_open(const char *locale);
void ferry_calendar_names_close(ferry_calendar_names *names);

/*
 * Copies a name: the units that it has, of which as many as fit are written; -1 if there is no such name. Months,
 * weekdays (from Sunday) and halves of the day are numbered from 0.
 */
int32_t ferry_calendar_name(
    const ferry_calendar_names *names, ferry_calendar_list list, int32_t index, uint16_t *units, int32_t capacity);

/* Whether ICU has names of its own for a language, given by its code, as in "de". */
bool ferry_has_language(const char *language);

#endif
