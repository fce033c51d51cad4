/* Debian builds libxml2 with ICU, whose headers collide with Foundation's own copy of it. Nothing used here needs it. */
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED
#include <libxml/globals.h>
#include <libxml/parser.h>
#include <libxml/xmlerror.h>

/* What libxml2 calls with errors that belong to no parser, for this thread. */
typedef struct {
    xmlGenericErrorFunc generic;
    void *genericContext;
    xmlStructuredErrorFunc structured;
    void *structuredContext;
} ferry_error_handlers;

/* A few encoding failures reach only the generic handler, which prints; it is variadic, so Swift cannot write one. */
static void ferry_discard_message(void *context, const char *message, ...) {
    (void)context;
    (void)message;
}

/* The handlers are thread-local macros: read them, then set those of one parse. */
static inline ferry_error_handlers ferry_set_error_handlers(void *context, xmlStructuredErrorFunc structured) {
    ferry_error_handlers previous = {
        xmlGenericError, xmlGenericErrorContext, xmlStructuredError, xmlStructuredErrorContext
    };
    xmlSetGenericErrorFunc(NULL, ferry_discard_message);
    xmlSetStructuredErrorFunc(context, structured);
    return previous;
}

static inline void ferry_restore_error_handlers(ferry_error_handlers previous) {
    xmlSetGenericErrorFunc(previous.genericContext, previous.generic);
    xmlSetStructuredErrorFunc(previous.structuredContext, previous.structured);
}

/* A global variable, in some versions a macro. */
static inline const char *ferry_xml_version(void) { return xmlParserVersion; }
