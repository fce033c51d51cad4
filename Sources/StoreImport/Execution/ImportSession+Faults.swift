import ImportMappings
import RecordSources
import SQLiteAccess

/// The faults of rejected records, and where they are reported.
extension ImportSession {
    /// Writes the rejected records of a batch to the files of rejected records, in their order, with all faults of
    /// each; or postpones this.
    ///
    /// - Parameter isFailing: whether the import ends with an error, so that nothing is looked up in the store.
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

    /// Returns the fault for which a record was rejected, and its other faults.
    private func allReasons(
        _ first: [RejectionReason], _ record: Int, _ batch: inout RecordBatch, _ source: SourceImport, isFailing: Bool
    ) throws -> [RejectionReason] {
        guard let known = first.first, batch.problem(of: record) == nil else { return first }
        return try source.inspector.reasons(of: record, rejectedFor: known, in: &batch) { key, target, relationship in
            isFailing ? nil : try absenceNow(of: key, target, relationship)
        }
    }

    /// Returns the reason why the destination of a rejected record's link does not exist; nil if it exists, or if this
    /// depends on what is read later.
    private func absenceNow(
        of key: ReferenceKey, _ target: CompiledKeyTarget, _ relationship: CompiledRelationship
    ) throws -> RejectionReason? {
        guard target.missing != .create || target.unfilled != nil,
            let absence = batchWriter.absence(of: key, target, relationship)
        else { return nil }
        let resolver = resolvers[target.resolver]
        if !resolver.isCached {
            // If a new store is assembled, the objects of the sources are not in a table yet.
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
