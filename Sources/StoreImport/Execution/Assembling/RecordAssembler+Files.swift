import ManagedObjectModels
import PersistentStores
import RecordConversion
import RecordSources
import SQLiteAccess
import SQLiteFileBuilder
import StoreAssembly
import TextEncodings

/// The bytes of files that are values of a batch's objects and are stored in their columns. They are kept on disk, so
/// that only those of one object are in memory at a time.
final class SpooledFiles {
    private let pieces: ByteFile
    /// The offsets of the bytes, by object mapping and index of the value.
    private var places: [Int: [Int: Int64]] = [:]

    /// Creates an empty file beside the store.
    ///
    /// - Parameter path: the path of the store.
    init(beside path: String) throws(BuildError) {
        pieces = try ByteFile(beside: path)
    }

    /// Stores a value of an object mapping until its row is written.
    func append(_ bytes: [UInt8], of mapping: Int, at place: Int) throws(BuildError) {
        places[mapping, default: [:]][place] = try pieces.append(bytes.span)
    }

    /// Returns the value with an index among those of an object mapping; nil if it is not stored here.
    func bytes(of mapping: Int, at place: Int) throws -> [UInt8]? {
        guard let found = places[mapping]?[place] else { return nil }
        return try pieces.withPiece(at: found) { piece in
            var bytes: [UInt8] = []
            bytes.append(copying: piece)
            return bytes
        }
    }
}

/// Values that are the bytes of files, in a store that is assembled.
extension RecordAssembler {
    /// Reads the files of a batch's objects before any of their rows is written. Files that become external data get
    /// their names, and the bytes of the others are stored on disk. A record is rejected if its files can no longer be
    /// read.
    func takeFiles(
        _ stream: AssembledStream, _ current: inout ObjectInstances, _ batch: inout RecordBatch, _ name: String,
        _ report: inout ImportReport.SourceReport, into spooled: SpooledFiles
    ) throws {
        for place in current.files.keys.sorted() {
            let (instance, position) = place.quotientAndRemainder(dividingBy: current.attributeCount)
            let record = Int(current.records[instance])
            guard !batchState.isRejected[record], let file = current.files[place] else { continue }
            do {
                let value = try session.value(of: file, isExternal: stream.object.attributes[position].isExternal)
                if value.isName {
                    current.cells[place] = .blob(batch.appendRange(value.bytes))
                } else {
                    try SQLiteError.ofBuilder { try spooled.append(value.bytes, of: stream.index, at: place) }
                }
            } catch let failure as ConversionFailure {
                try session.reject(record, of: batch, name, &report, stream.object.reason(failure, position, file))
            }
        }
    }

    /// Appends the objects of a batch one by one, each with the bytes of its files.
    func append(
        _ stream: AssembledStream, _ current: inout ObjectInstances, _ batch: inout RecordBatch,
        with spooled: SpooledFiles
    ) throws {
        for instance in 0..<current.count {
            let heldBytes = try holdFiles(of: instance, stream, &current, &batch, spooled)
            try stream.appendRows(
                &current, in: instance..<instance + 1, where: batchState.isRejected, arena: batch.arena)
            // The bytes of the object's files are still in memory.
            try noteUniqueValues(stream, current, in: instance..<instance + 1, batch)
            session.releaseFiles(of: instance, &current, &batch, heldBytes)
        }
        stream.countLinks(of: current)
    }

    /// Sets the bytes of its files as values of an object.
    ///
    /// - Returns: the number of bytes that the batch had before.
    func holdFiles(
        of instance: Int, _ stream: AssembledStream, _ current: inout ObjectInstances, _ batch: inout RecordBatch,
        _ spooled: SpooledFiles
    ) throws -> Int {
        let heldBytes = batch.arena.count
        guard !batchState.isRejected[Int(current.records[instance])] else { return heldBytes }
        for place in instance * current.attributeCount..<(instance + 1) * current.attributeCount {
            guard let bytes = try spooled.bytes(of: stream.index, at: place) else { continue }
            current.cells[place] = .blob(batch.appendRange(bytes))
        }
        return heldBytes
    }
}

extension CompiledObject {
    /// Whether some values are the bytes of files.
    var hasFiles: Bool { attributes.contains { $0.fileNaming != nil } }

    /// Returns the reason why a file cannot be the value of an attribute.
    func reason(_ failure: ConversionFailure, _ position: Int, _ file: BinaryFile) -> RejectionReason {
        let attribute = attributes[position]
        return reason(
            .unfit(failure, expected: attribute.conversion.expectation), attribute.attribute.name,
            column: attribute.sourceName, value: file.name)
    }
}
