/* Debian builds libxml2 with ICU, whose headers collide with Foundation's own copy of it. Nothing used here needs it. */
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED
#include <libxml/xmlreader.h>
#include <libxml/xmlerror.h>
