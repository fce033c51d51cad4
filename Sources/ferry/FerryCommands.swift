import CommandLineParsing

extension CommandTable {
    /// All commands of the tool.
    static let ferry = CommandTable(
        tool: "ferry", version: "0.1.0",
        abstract: "Migrate, inspect and fill Core Data stores",
        commands: [
            .inspect,
            .lint,
            .diagram,
            .diff,
            .infer,
            .mapping,
            .migrate,
            .import,
            .convert,
            .fetch,
            .export,
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
        ])
}
