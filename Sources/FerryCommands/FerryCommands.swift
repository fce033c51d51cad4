import CommandLineParsing

extension CommandTable {
    /// All commands of the tool.
    static let ferry = CommandTable(
        tool: "ferry", version: "0.1.0",
        abstract: "Migrate, inspect and fill Core Data stores",
        commands: [
            .inspect,
            .lint,
            .freeze,
            .diagram,
            .diff,
            .infer,
            .mapping,
            .migrate,
            .fleet,
            .import,
            .assemble,
            .convert,
            .fetch,
            .export,
            .edit,
            .mergeInto,
            .history,
            .verify,
            .repair,
            .metadata,
            .copy,
            .move,
            .remove,
            .fixture,
            .hashes,
            .compile,
            .decompile,
        ],
        commonFlags: [SQLDebug.flag],
        environment: [
            EnvironmentVariable(
                "TMPDIR", "The folder for temporary files, which a large store may fill; /tmp by default."),
            SQLDebug.variable,
        ],
        related: [
            ["migrate", "infer", "mapping", "diff", "verify"],
            ["fleet", "migrate", "verify"],
            ["lint", "freeze", "diff", "diagram", "hashes"],
            ["compile", "decompile", "hashes"],
            ["import", "export", "fetch", "edit"],
            ["merge-into", "edit", "convert", "import"],
            ["assemble", "import", "fleet"],
            ["history", "edit", "inspect"],
            ["verify", "repair", "edit"],
            ["convert", "copy", "move", "remove", "metadata"],
            ["inspect", "hashes", "metadata", "fetch"],
            ["fixture", "verify"],
        ],
        buildFacts: { BuildFacts.text })
}
