import ImportMappings
import RecordSources
import SQLiteAccess

/// What is wrong with rejected records, and where it is said.
extension ImportSession {
    /// Writes the records of a batch that are rejected to the files of rejected ones, in their order, with all that is
    /// wrong with each; or lets them wait.
    ///
    /// - Parameter isFailing: whether the import ends with an error: the store is asked nothing then.
    func writeRefused(of batch: inout RecordBatch, _ source: SourceImport, isFailing: Bool = false) throws {
        if isFailing { try settlement.writeTakenRecords() }
        if !batchState.refused.isEmpty { batch.takeFields() }
        for (record, first) in batchState.refused.sorted(by: { $0.record < $1.record }) {
            var rejection = first
            if !options.stopsAtFirstFault {
                rejection.reasons = try allReasons(first.reasons, record, &batch, source, isFailing: isFailing)
            }
            if let taken, !isFailing, batchWriter.postponesRejections {
                try taken.append(entry(recordNumber(batch, record), record, batch), rejection.reasons)
                continue
            }
            if let entity = rejection.entity { tally[entity].rejected += 1 }
            tally.show(rejection, options)
            if let rejects, let rejectSource = reading.rejectSource {
                try rejects.reject(record, of: batch, from: rejectSource, for: rejection.reasons)
            }
            try options.onReject?(rejection, batch.sourceBytes(of: record))
        }
        batchState.refused.removeAll(keepingCapacity: true)
    }

    /// The fault for which a record was rejected, and the others that it has.
    private func allReasons(
        _ first: [RejectionReason], _ record: Int, _ batch: inout RecordBatch, _ source: SourceImport, isFailing: Bool
    ) throws -> [RejectionReason] {
        guard let known = first.first, batch.problem(of: record) == nil else { return first }
        return try source.inspector.reasons(of: record, rejectedFor: known, in: &batch) { key, target, relationship in
            isFailing ? nil : try absenceNow(of: key, target, relationship)
        }
    }

    /// Why a link of a rejected record leads nowhere, where that is known without what is read later.
    private func absenceNow(
        of key: ReferenceKey, _ target: CompiledKeyTarget, _ relationship: CompiledRelationship
    ) throws -> RejectionReason? {
        guard target.missing != .create || target.unfilled != nil,
            let absence = batchWriter.absence(of: key, target, relationship)
        else { return nil }
        let resolver = resolvers[target.resolver]
        if !resolver.isCached {
            // Of what the sources made, a new store that is assembled has no table yet.
            guard scope.lastFiles[target.slot] == nil else { return nil }
            if assembler == nil {
                if !resolver.isSourceKey {
                    for (table, columns) in resolver.indexedColumns { try indexes.require(columns, of: table) }
                }
                try resolver.fetch([key])
            }
        }
        return resolver.target(of: key.bytes) == nil ? absence : nil
    }
}
