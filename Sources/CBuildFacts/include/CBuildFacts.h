#ifndef FERRY_CBUILD_FACTS_H
#define FERRY_CBUILD_FACTS_H

/* The commit that the build was made from, if FERRY_COMMIT said so when it was made; an empty text otherwise. */
const char *ferry_build_commit(void);

#endif
