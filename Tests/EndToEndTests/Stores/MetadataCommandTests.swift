import KeyedArchives
import PersistentStores
import TestSupport
import Testing

/// `ferry metadata` as a user runs it.
@Suite final class MetadataCommandTests: CompanyStoreSuite {
    private func metadata(_ words: String...) throws -> ToolProcess.Result {
        try ToolProcess.ferry(["metadata", store] + words)
    }

    @Test(arguments: [
        (["5"], "5"), (["2.5"], "2.5"), (["true"], "true"), (["2024-05-31T12:00:00Z"], "2024-05-31T12:00:00Z"),
        (["plain text"], "plain text"), (["007", "--type", "string"], "007"), (["AQID", "--type", "data"], "AQID"),
        (["5", "--type", "real"], "5.0"), (["nan"], "nan"),
    ])
    func aValueComesBack(words: [String], printed: String) throws {
        let before = try StoreMetadata.read(storeAt: store)
        #expect(try ToolProcess.ferry(["metadata", store, "set", "key"] + words).status == 0)
        #expect(try metadata("get", "key").output == printed + "\n")
        #expect(try metadata("remove", "key").status == 0)
        #expect(try StoreMetadata.read(storeAt: store) == before)
    }

    @Test func anArrayComesBack() throws {
        let before = try StoreMetadata.read(storeAt: store)
        let text = #"["red", "7", 7, -2.5, true, ["a\u00e9"], {"key": []}]"#
        #expect(try metadata("set", "keywords", text, "--type", "array").status == 0)
        var nested = PropertyListDictionary()
        nested["key"] = .array([])
        let value: PropertyListValue = .array([
            .string("red"), .string("7"), .integer(7), .real(-2.5), .boolean(true), .array([.string("a\u{E9}")]),
            .dictionary(nested),
        ])
        #expect(try StoreMetadata.read(storeAt: store).entries["keywords"] == value)
        #expect(try metadata("set", "keywords", "[]", "--type", "array").status == 0)
        #expect(try StoreMetadata.read(storeAt: store).entries["keywords"] == .array([]))
        #expect(try metadata("remove", "keywords").status == 0)
        #expect(try StoreMetadata.read(storeAt: store) == before)
    }

    @Test func aDictionaryComesBack() throws {
        let before = try StoreMetadata.read(storeAt: store)
        let text = #"{"theme": "dark", "sizes": [1, 2.5], "more": {"on": true, "code": "7"}}"#
        #expect(try metadata("set", "settings", text, "--type", "dictionary").status == 0)
        var (more, all) = (PropertyListDictionary(), PropertyListDictionary())
        more["on"] = .boolean(true)
        more["code"] = .string("7")
        all["theme"] = .string("dark")
        all["sizes"] = .array([.integer(1), .real(2.5)])
        all["more"] = .dictionary(more)
        #expect(try StoreMetadata.read(storeAt: store).entries["settings"] == .dictionary(all))
        #expect(try metadata("set", "settings", "{}", "--type", "dictionary").status == 0)
        #expect(try StoreMetadata.read(storeAt: store).entries["settings"] == .dictionary(PropertyListDictionary()))
        #expect(try metadata("remove", "settings").status == 0)
        #expect(try StoreMetadata.read(storeAt: store) == before)
    }

    @Test func allEntriesArePrinted() throws {
        let text = try metadata().output
        #expect(text.contains("NSStoreType: SQLite\n"))
        #expect(text.contains("NSStoreModelVersionHashes:\n  Department: "))
        let json = try metadata("--json").output
        #expect(json.contains("\"NSStoreUUID\" : \"8C7E2B54-3F0A-4B8E-9D57-2A6F1C0B9E31\""))
    }

    @Test(arguments: [
        ["set", "NSStoreUUID", "x"], ["remove", "NSStoreModelVersionHashes"], ["set", "_NSAutoVacuumLevel", "1"],
        ["set", "key"], ["remove"], ["get", "a", "b"], ["change", "a", "b"], ["set", "key", "x", "--type", "integer"],
        ["set", "key", "text", "--type", "array"], ["set", "key", "{\"a\": 1}", "--type", "array"],
        ["set", "key", "[1, null]", "--type", "array"], ["set", "key", "[\"a\"", "--type", "array"],
        ["get", "key", "--type", "integer"], ["set", "key", "[1]", "--type", "dictionary"],
        ["set", "key", "a: 1", "--type", "dictionary"], ["set", "key", "{\"a\": null}", "--type", "dictionary"],
    ])
    func whatCannotBeMeantIsRefused(words: [String]) throws {
        let before = try FolderState(of: directory.path)
        #expect(try ToolProcess.ferry(["metadata", store] + words).status == 64)
        #expect(try FolderState(of: directory.path).byteDifferences(from: before) == [])
    }

    @Test func aMissingKeyIsAFinding() throws {
        #expect(try metadata("get", "no.such.key").status == 1)
        #expect(try metadata("remove", "no.such.key").status == 1)
    }

    @Test(.long) func aLockedStoreIsWorthARetry() throws {
        let session = try SQLiteSession(on: store, running: "BEGIN IMMEDIATE;")
        #expect(try metadata("set", "key", "1").status == 3)
        try session.run("COMMIT;")
        #expect(try metadata("set", "key", "1").status == 0)
    }
}
