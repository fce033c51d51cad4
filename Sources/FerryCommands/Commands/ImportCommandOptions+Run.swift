import CommandLineParsing
import ImportMappings
import ManagedObjectModels
import RecordSources
import StoreImport

/// The parts that an import and a shard of an import have in common.
extension ImportCommandOptions {
    /// Checks that exactly one option determines how records become objects.
    func checkPlan() throws(UsageError) {
        switch (mapping, entity) {
        case (nil, nil): throw .missing("--mapping FILE or --entity ENTITY")
        case (_?, _?): throw .conflict("--mapping", with: "--entity")
        case (_?, nil): if !key.isEmpty { throw .dependent("--key", on: "--entity") }
        case (nil, _?): break
        }
    }

    /// Returns the plan for the records. A mapping is checked against the model before anything is changed.
    func plan(for model: ResolvedModel, _ document: ImportMappingDocument?) throws -> ImportRun.Plan {
        if let document {
            for warning in try document.review(for: model) { Console.note("warning: \(warning)\n") }
            return .mapping(document.mapping)
        }
        return .entity(EntityRequest(entity: entity ?? "", key: key, onMatch: onMatch, onMissing: onMissing))
    }

    /// Returns the options for reading records, with progress and cancellation.
    func importOptions(_ printer: ProgressPrinter) -> ImportOptions {
        var result = ImportOptions(limits: RecordBatch.Limits(rows: batchRows, bytes: batchBytes.bytes))
        result.largestRecord = largestRecord.bytes
        result.transformers = transformers.registry
        if let now { result.now = now.seconds }
        result.onCheckpoint = CrashInjection.checkpoint
        result.isCancelled = { Cancellation.isRequested }
        var done: Int64 = 0
        result.onProgress = { records, source in
            done = records
            printer.show(stage: ImportStage.importing.rawValue, table: source, rowsDone: records, rowsTotal: nil)
        }
        result.onStage = { printer.show(stage: $0.rawValue, table: nil, rowsDone: done, rowsTotal: nil) }
        return result
    }
}
