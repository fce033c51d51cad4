import Foundation
import FuzzDriving

@testable import StoreImport

/// A spool whose checksums are those of what it contains, so that changes of its content reach the readers.
struct SpoolInput {
    private let bytes: [UInt8]

    init(_ spool: [UInt8]) {
        // The end says where the last block begins, which is found out here.
        let isComplete = spool.suffix(SpoolBlock.endMagic.count).elementsEqual(SpoolBlock.endMagic)
        let input = isComplete ? spool.dropLast(SpoolBlock.endMagic.count + 8) : spool[...]
        var bytes = SpoolBlock.magic
        Self.append(SpoolBlock.version, to: &bytes)
        var place = bytes.count
        var last = place
        while place + SpoolBlock.headerBytes <= input.count {
            var header: UInt64 = 0
            for index in (0..<8).reversed() { header = header << 8 | UInt64(input[place + index]) }
            // What is longer than the rest of the input ends with it.
            let rest = input.count - place - SpoolBlock.headerBytes
            let count = min(header & 0xff_ffff_ffff_ffff, UInt64(rest))
            header = (header & ~0xff_ffff_ffff_ffff) | count
            place += SpoolBlock.headerBytes
            let content = input[place..<place + Int(count)]
            last = bytes.count
            Self.append(header, to: &bytes)
            bytes += content
            Self.append(Array(content).withUnsafeBufferPointer { SpoolBlock.checksum(header, $0.span) }, to: &bytes)
            place += Int(count) + SpoolBlock.checksumBytes
        }
        Self.append(UInt64(last), to: &bytes)
        self.bytes = bytes + SpoolBlock.endMagic
    }

    private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
        for shift in stride(from: UInt64(0), to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }

    /// Assembles a store of the records.
    func assemble() throws {
        let path = FuzzDriver.write(bytes, as: "input.ferryspool")
        let store = FuzzDriver.scratch + "assembled.sqlite"
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: store + suffix) }
        _ = try ImportSpools([path]).assemble(
            into: store, uuid: "00000000-0000-4000-8000-000000000000", options: ImportOptions())
    }
}
