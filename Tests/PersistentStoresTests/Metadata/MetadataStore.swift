import Foundation
import KeyedArchives
import PersistentStores
import TestSupport
import XMLStores

/// A small store of each type whose metadata are known.
enum MetadataStore {
    static let uuid = "0B7E0C0E-5B3D-4E0F-9C52-3B1F2A7C9D10"

    /// What an app keeps there, beside what Core Data does.
    static let entries: PropertyListDictionary = {
        var entries = PropertyListDictionary()
        entries["NSStoreModelVersionHashesVersion"] = 3
        entries["NSStoreModelVersionHashes"] = ["Thing": .data([1, 2, 3])]
        entries["app.flag"] = true
        entries["app.list"] = ["a", 2, .real(2.5), .date(1000), ["nested": ["x"]]]
        return entries
    }()

    /// Writes the store; returns its path.
    static func make(_ type: StoreType, in directory: TemporaryDirectory) throws -> String {
        switch type {
        case .sqlite:
            var all = entries
            all["NSStoreType"] = "SQLite"
            let plist = BinaryPropertyListWriter.bytes(for: .dictionary(all))
            let hexadecimal = plist.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            let path = directory.file("Store.sqlite")
            let script = """
                CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
                CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
                INSERT INTO Z_METADATA VALUES (1, '\(uuid)', X'\(hexadecimal)');
                CREATE TABLE ZTHING (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER);
                INSERT INTO ZTHING VALUES (1, 1, 1);
                """
            let run = try ToolProcess.run("/usr/bin/env", ["sqlite3", "-bail", path, script])
            guard run.status == 0 else { throw CocoaError(.fileWriteUnknown) }
            return path
        case .xml:
            var text = ""
            let header = XMLStoreHeader(uuid: uuid, nextObjectID: 102, metadata: entries)
            let writer = try XMLStoreWriter<Never>(header: header) { text += $0 }
            writer.append(
                XMLStoreObject(
                    type: "THING", id: "z102",
                    attributes: [.init(name: "text", type: "string", text: "<metadata>not this one</metadata>")],
                    relationships: []))
            writer.finish()
            return try directory.write(text, to: "Store.xml")
        case .binary: return try makeBinary(in: directory)
        }
    }

    /// - Parameter metadataFirst: whether the metadata stand before the objects, as Core Data does not write them.
    static func makeBinary(metadataFirst: Bool = false, in directory: TemporaryDirectory) throws -> String {
        var all = entries
        all["NSStoreType"] = "Binary"
        all["NSStoreUUID"] = .string(uuid)
        var builder = KeyedArchiveBuilder()
        let root = try builder.propertyList(.dictionary(all))
        let metadata = builder.bytes(root: root)
        let map = [UInt8]("objects of the store, which nobody looks at here".utf8)
        let (metadataStart, mapStart) = metadataFirst ? (64, 64 + metadata.count) : (64 + map.count, 64)
        var bytes = Array("CoreData".utf8) + bigEndian(0x1_0804_0800)
        for number in [metadataStart, metadata.count, mapStart, map.count, 7, 0] { bytes += bigEndian(number) }
        return try directory.write(bytes + (metadataFirst ? metadata + map : map + metadata), to: "Store.binary")
    }

    private static func bigEndian(_ number: Int) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }
}
