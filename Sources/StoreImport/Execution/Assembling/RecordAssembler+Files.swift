import ManagedObjectModels
import PersistentStores
import RecordConversion
import RecordSources

/// Values that are the bytes of files, in a store that is assembled.
extension RecordAssembler {
    /// Rejects records whose files cannot be read any more, before anything of them is written.
    func rejectUnreadable(
        _ stream: AssembledStream, _ current: ObjectInstances, _ batch: RecordBatch, _ name: String,
        _ report: inout ImportReport.SourceReport
    ) throws {
        for place in current.files.keys.sorted() {
            let (instance, position) = place.quotientAndRemainder(dividingBy: current.attributeCount)
            let record = Int(current.records[instance])
            guard !batchState.isRejected[record], let file = current.files[place] else { continue }
            do throws(ConversionFailure) {
                _ = try BinaryFile(file.name, in: file.folder)
            } catch {
                try session.reject(record, of: batch, name, &report, stream.object.reason(error, position, file))
            }
        }
    }

    /// Appends the objects of a batch one by one, so that memory holds the files of one of them.
    func appendWithFiles(
        _ stream: AssembledStream, _ writer: MappedObjectWriter, _ current: inout ObjectInstances,
        _ batch: inout RecordBatch, _ name: String, _ report: inout ImportReport.SourceReport
    ) throws {
        let attributes = stream.object.attributes.indices
        for instance in 0..<current.count {
            let record = Int(current.records[instance])
            let heldBytes = batch.arena.count
            if !batchState.isRejected[record] {
                let failure = try session.takeFiles(of: instance, attributes, &current, writer, &batch)
                if let failure { try session.reject(record, of: batch, name, &report, failure) }
            }
            try stream.appendRows(
                &current, in: instance..<instance + 1, where: batchState.isRejected, arena: batch.arena)
            session.releaseFiles(of: instance, &current, &batch, heldBytes)
        }
        stream.countLinks(of: current)
    }
}

extension CompiledObject {
    /// Whether values are the bytes of files.
    var hasFiles: Bool { attributes.contains { $0.fileNaming != nil } }

    /// Why a file cannot be the value of an attribute.
    func reason(_ failure: ConversionFailure, _ position: Int, _ file: BinaryFile) -> RejectionReason {
        let attribute = attributes[position]
        return reason(
            .unfit(failure, expected: attribute.conversion.expectation), attribute.attribute.name,
            column: attribute.sourceName, value: file.name)
    }
}
