import RecordSources
import SQLiteAccess

/// The encoding of a batch of converted records in a spool (docs/format/spools.md#batches).
extension ConvertedBatch {
    /// Encodes the records of a source.
    ///
    /// - Parameter leavingOutFields: whether fields may be left out if they can be found again in the bytes of the
    ///   records.
    func encode(_ source: CompiledSource, leavingOutFields: Bool, into encoder: inout SpoolEncoder) {
        encoder.append(count: rejectSource == nil ? 0 : 1)
        rejectSource?.encode(into: &encoder)
        batch.encode(leavingOutFields: leavingOutFields, into: &encoder)
        encoder.append(count: Int(filtered))
        encoder.append(count: isRejected.count(where: { $0 }))
        for (record, isRejected) in isRejected.enumerated() where isRejected { encoder.append(count: record) }
        encoder.append(count: refusals.count)
        for refusal in refusals {
            encoder.append(count: refusal.record)
            refusal.reason.encode(into: &encoder)
        }
        encoder.append(count: roundings.count)
        for rounding in roundings {
            encoder.append(count: rounding.record)
            encoder.append(rounding.entity)
            encoder.append(rounding.attribute)
        }
        // Parts of parts come after them.
        for index in source.conversionOrder { instances[index].encode(into: &encoder) }
    }

    /// Decodes a batch that `encode` has written, and checks all of it.
    ///
    /// - Parameters:
    ///   - name: the name of the source.
    ///   - kind: the format of the source, in which rejected records may be written again.
    ///   - form: how fields that were left out are found again.
    mutating func decode(
        _ content: [UInt8], of source: CompiledSource, name: String, kind: SourceFormat.Kind, _ form: DelimitedForm?
    ) throws(SpoolDecoder.Fault) {
        var decoder = SpoolDecoder(content)
        rejectSource = try decoder.flag() ? RejectSource(decoding: &decoder, name: name, kind: kind) : nil
        try batch.decode(from: &decoder, form)
        // A rejected record is written from its fields.
        if kind.format.rendering != nil { try batch.decodeFields() }
        let last = batch.count - 1
        filtered = Int64(try decoder.count(atMost: batch.count))
        isRejected.removeAll(keepingCapacity: true)
        isRejected.append(contentsOf: repeatElement(false, count: batch.count))
        for _ in 0..<(try decoder.count()) {
            guard last >= 0 else { throw decoder.fault }
            isRejected[try decoder.count(atMost: last)] = true
        }
        refusals.removeAll(keepingCapacity: true)
        for _ in 0..<(try decoder.count()) {
            guard last >= 0 else { throw decoder.fault }
            let record = try decoder.count(atMost: last)
            refusals.append(Refusal(record: record, reason: try RejectionReason(decoding: &decoder)))
        }
        roundings.removeAll(keepingCapacity: true)
        for _ in 0..<(try decoder.count()) {
            guard last >= 0 else { throw decoder.fault }
            roundings.append(
                Rounding(
                    record: try decoder.count(atMost: last), entity: try decoder.text(), attribute: try decoder.text()))
        }
        for index in source.conversionOrder {
            let object = source.objects[index]
            let parents = object.parent.map { instances[$0].count }
            try instances[index].decode(from: &decoder, object, parents: parents, in: batch)
        }
        try decoder.finish()
        missingPaths = nil
    }
}

extension RejectSource {
    fileprivate func encode(into encoder: inout SpoolEncoder) {
        encoder.append(count: columns.count)
        for column in columns {
            encoder.append(column.name)
            encoder.append(optional: column.declaredType)
        }
        for bytes in [wrapping.prefix, wrapping.terminator, wrapping.separator, wrapping.suffix] {
            encoder.append(bytes: bytes)
        }
        encoder.append(wrapping.fileExtension)
        encoder.append(count: bytes == .inBatch ? 0 : 1)
    }

    fileprivate init(
        decoding decoder: inout SpoolDecoder, name: String, kind: SourceFormat.Kind
    ) throws(SpoolDecoder.Fault) {
        var columns: [SourceColumn] = []
        for _ in 0..<(try decoder.count()) {
            columns.append(SourceColumn(name: try decoder.text(), declaredType: try decoder.optionalText()))
        }
        var wrapping = RecordWrapping(
            prefix: Array(try decoder.data()), terminator: Array(try decoder.data()),
            separator: Array(try decoder.data()), suffix: Array(try decoder.data()), fileExtension: "")
        wrapping.fileExtension = try decoder.text()
        self.init(
            name: name, columns: columns, wrapping: wrapping, bytes: try decoder.flag() ? .besideBatch : .inBatch,
            rendering: kind.format.rendering)
    }
}
