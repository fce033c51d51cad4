import Foundation
import KeyedArchives
import PersistentStores
import Testing
import TestSupport

/// Metadata are read and written in stores of all types, and nothing else is touched.
@Suite struct StoreMetadataFilesTests {
    @Test(arguments: StoreType.allCases)
    func theTypeIsToldByTheContent(type: StoreType) throws {
        let directory = try TemporaryDirectory()
        let path = try MetadataStore.make(type, in: directory)
        try FileManager.default.moveItem(atPath: path, toPath: directory.file("Store.any"))
        #expect(try StoreType(ofStoreAt: directory.file("Store.any")) == type)
        let metadata = try StoreMetadata.read(storeAt: directory.file("Store.any"))
        #expect(metadata.uuid == MetadataStore.uuid)
        #expect(metadata.storeType == type.rawValue)
        #expect(metadata.dictionary["NSStoreUUID"] == .string(MetadataStore.uuid))
        for (key, value) in MetadataStore.entries { #expect(metadata.entries[key] == value, "\(key)") }
    }

    @Test(arguments: StoreType.allCases)
    func aChangeKeepsEverythingElse(type: StoreType) throws {
        let directory = try TemporaryDirectory()
        let path = try MetadataStore.make(type, in: directory)
        let before = try StoreMetadata.read(storeAt: path)
        let bytes = try content(type, path)
        try StoreMetadata.update(storeAt: path) { metadata in
            metadata.entries["app.new"] = ["text": "a < b & \"c\" ü", "numbers": [1, .real(0.1), .integer(.min)]]
            metadata.entries["app.flag"] = false
            metadata.entries["app.list"] = nil
        }
        var expected = before
        expected.entries["app.new"] = ["text": "a < b & \"c\" ü", "numbers": [1, .real(0.1), .integer(.min)]]
        expected.entries["app.flag"] = false
        expected.entries["app.list"] = nil
        #expect(try StoreMetadata.read(storeAt: path) == expected)
        #expect(try content(type, path) == bytes)
        // And back: an XML store is the same file again.
        try StoreMetadata.update(storeAt: path) { $0 = before }
        #expect(try StoreMetadata.read(storeAt: path) == before)
        #expect(try content(type, path) == bytes)
        #expect(try FileSystem.names(in: directory.path) == [FileSystem.name(of: path)])
    }

    /// What is in a store beside its metadata.
    private func content(_ type: StoreType, _ path: String) throws -> String {
        switch type {
        case .sqlite:
            try ToolProcess.run("/usr/bin/env", ["sqlite3", path, ".schema", "SELECT * FROM ZTHING"]).output
        case .xml:
            try String(contentsOfFile: path, encoding: .utf8).components(separatedBy: "</databaseInfo>")[1]
        case .binary:
            String(decoding: [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))[32..<112], as: UTF8.self)
        }
    }

    @Test(arguments: [StoreType.xml, .binary])
    func aChangeThatIsCancelledLeavesTheStoreAsItWas(type: StoreType) throws {
        let directory = try TemporaryDirectory()
        let path = try MetadataStore.make(type, in: directory)
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        let error = #expect(throws: StoreError.self) {
            try StoreMetadata.update(storeAt: path, isCancelled: { true }) { $0.entries["app.flag"] = true }
        }
        #expect(error?.isCancelled == true)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        #expect(try FileSystem.names(in: directory.path) == [FileSystem.name(of: path)])
    }

    @Test(arguments: StoreType.allCases)
    func whatTheClosureThrowsLeavesTheStoreAsItWas(type: StoreType) throws {
        struct Refusal: Error {}
        let directory = try TemporaryDirectory()
        let path = try MetadataStore.make(type, in: directory)
        let before = try FolderState(of: directory.path)
        #expect(throws: Refusal.self) {
            try StoreMetadata.update(storeAt: path) { _ in throw Refusal() }
        }
        #expect(try FolderState(of: directory.path).byteDifferences(from: before) == [])
    }

    @Test func whatXMLHasNoFormForIsRefused() throws {
        let directory = try TemporaryDirectory()
        let path = try MetadataStore.make(.xml, in: directory)
        let before = try FolderState(of: directory.path)
        for value: PropertyListValue in [.date(1.5), .null, .string("\u{1}")] {
            #expect(throws: StoreError.self) {
                try StoreMetadata.update(storeAt: path) { $0.entries["app.bad"] = value }
            }
        }
        #expect(try FolderState(of: directory.path).byteDifferences(from: before) == [])
    }

    @Test func aLinkLeadsToTheFileThatChanges() throws {
        let directory = try TemporaryDirectory()
        let path = try MetadataStore.make(.xml, in: directory)
        try FileManager.default.createSymbolicLink(atPath: directory.file("link"), withDestinationPath: "Store.xml")
        try StoreMetadata.update(storeAt: directory.file("link")) { $0.entries["app.new"] = 1 }
        #expect(FileSystem.isLink(directory.file("link")))
        #expect(try StoreMetadata.read(storeAt: path).entries["app.new"] == 1)
    }

    @Test(arguments: [0, 7, 8, 63, 64, 100, 140])
    func aCutBinaryStoreIsAnError(length: Int) throws {
        let directory = try TemporaryDirectory()
        let path = try MetadataStore.make(.binary, in: directory)
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        try directory.write(Array(bytes.prefix(length)), to: "Store.binary")
        #expect(throws: StoreError.self) { try StoreMetadata.read(storeAt: path) }
    }

    /// The metadata are read first, and are whole: in XML stores always, in binary ones where they do not stand last.
    @Test(arguments: [StoreType.xml, .binary], [1, 20])
    func aStoreThatBreaksOffBehindItsMetadataIsNotChangedOrCopied(type: StoreType, missing: Int) throws {
        let directory = try TemporaryDirectory()
        let path =
            try type == .xml
            ? MetadataStore.make(type, in: directory) : MetadataStore.makeBinary(metadataFirst: true, in: directory)
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        try StoreMetadata.update(storeAt: path) { _ in }
        // The last byte of an XML store is a newline.
        try directory.write(Array(bytes.dropLast(missing + 1)), to: FileSystem.name(of: path))
        #expect(try StoreMetadata.read(storeAt: path).uuid == MetadataStore.uuid)
        let before = try FolderState(of: directory.path)
        #expect(throws: StoreError.self) { try StoreMetadata.update(storeAt: path) { $0.entries["app.new"] = 1 } }
        #expect(throws: StoreError.self) {
            try StoreUnit(path: path, followsLinks: false).copy(to: directory.file("Copy.store"))
        }
        #expect(try FolderState(of: directory.path).byteDifferences(from: before) == [])
    }

    @Test(.long) func damagedStoresAreErrorsAndNoCrashes() throws {
        var random = RandomNumbers(seed: 6)
        let directory = try TemporaryDirectory()
        for type in [StoreType.binary, .xml] {
            let path = try MetadataStore.make(type, in: directory)
            let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
            for _ in 0..<300 {
                let damaged = try directory.write(Mutation.mutate(bytes, with: &random), to: "damaged")
                // Either an error, or metadata: both are answers.
                if let metadata = try? StoreMetadata.read(storeAt: damaged) {
                    _ = try? StoreMetadata.update(storeAt: damaged) { $0.entries["app.new"] = 1 }
                    #expect(metadata.entries.count < 100)
                }
            }
        }
    }

    @Test func xmlStoresOfTheCorpusKeepTheirBytes() throws {
        let directory = try TemporaryDirectory()
        for file in Corpus.files(under: "4_xml_stores", where: { !$0.hasPrefix(".") }) {
            guard let metadata = try? StoreMetadata.read(storeAt: file) else { continue }
            let copy = try directory.write([UInt8](try Data(contentsOf: URL(fileURLWithPath: file))), to: "copy.xml")
            try StoreMetadata.update(storeAt: copy) { $0.entries["app.new"] = "x" }
            try StoreMetadata.update(storeAt: copy) { $0.entries["app.new"] = nil }
            #expect(try StoreMetadata.read(storeAt: copy) == metadata)
            let old = try String(contentsOfFile: file, encoding: .utf8)
            let new = try String(contentsOfFile: copy, encoding: .utf8)
            #expect(old.components(separatedBy: "</metadata>").last == new.components(separatedBy: "</metadata>").last)
        }
    }
}
