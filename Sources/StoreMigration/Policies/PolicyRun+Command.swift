extension PolicyRun {
    func runCommand(
        _ current: Current, _ context: MigrationContext, _ beginBatch: () throws -> Void, _ endBatch: () throws -> Void
    ) throws {}
}
