/* Settings of the process that runs the tests; it has no functions. */
