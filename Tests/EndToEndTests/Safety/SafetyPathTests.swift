import Foundation
import GeneratedStores
import PersistentStores
import TestSupport
import Testing

/// Names that mean something to a shell, to SQLite or to URIs; ways to name a store.
@Suite struct SafetyPathTests {
    private static let names = [
        "sp ace.sqlite", "qu'ote\".sqlite", "per%20cent.sqlite", "question?mode=ro.sqlite", "hash#.sqlite",
        "ünïcödé 漢字.sqlite",
        "new\nline.sqlite", "-dash.sqlite", "back\\slash.sqlite", "no extension", ".hidden", "trailing.", ":memory:",
        "file:x.sqlite", String(repeating: "n", count: 200) + ".db", String(repeating: "n", count: 240),
        String(repeating: "ü", count: 120) + ".db",
    ]

    @Test(.long, arguments: SafetyPlacement.allCases)
    func aStoreIsMigratedWhateverItsName(placement: SafetyPlacement) throws {
        let (folder, words) = try SafetyStore(content: .company, journal: .openLog).make()
        let new = try StoreDump(of: migrated(folder, words, placement))
        for (number, name) in Self.names.enumerated() {
            let place = folder.directory.file(String(number))
            try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
            let store = place + "/" + name
            for suffix in ["", "-wal"] {
                try FileManager.default.copyItem(atPath: folder.store + suffix, toPath: store + suffix)
            }
            // As a user names it who is in the folder; a dash needs help there, as it does everywhere.
            let operand = name.hasPrefix("-") || name == ":memory:" ? "./" + name : name
            let run = try ToolProcess.ferry(["migrate", operand] + words + placement.words(in: "."), in: place)
            #expect(run.status == 0, "\(name): \(run.summary)")
            #expect(try StoreDump(of: placement.result(of: store, in: place)) == new, "\(name)")
            #expect(try FileSystem.names(in: place).filter { $0.contains("ferry") } == [])
        }
    }

    @Test(arguments: [
        String(repeating: "n", count: 248), String(repeating: "n", count: 300), "", "no/such/folder.sqlite",
    ])
    func aNameThatNoStoreCanHaveIsRefused(name: String) throws {
        let (folder, words) = try SafetyStore(content: .company, journal: .rollback).make()
        let store = try folder.copy(named: "store")
        let place = FileSystem.directory(of: store)
        let before = try FolderState(of: place)
        for operands in [[name], [store, "--output", name]] {
            let run = try ToolProcess.ferry(["migrate"] + operands + words, in: place)
            #expect(run.status == 2 || run.status == 64, "\(run.summary)")
            #expect(run.signal == nil && !run.errors.isEmpty)
            #expect(try FolderState(of: place) == before)
        }
    }

    /// A link to the store, to its folder, or to a link, in another folder: the real store is migrated, and the links
    /// stay.
    @Test(
        .long, arguments: ["link to the store", "link to the folder", "link to a link", "dots"],
        SafetyPlacement.allCases)
    func theStoreThatALinkLeadsToIsMigrated(way: String, placement: SafetyPlacement) throws {
        let (folder, words) = try SafetyStore(content: .company, journal: .openLog).make()
        let new = try StoreDump(of: migrated(folder, words, placement))
        let store = try folder.copy(named: "real")
        let links = folder.directory.file("links")
        let files = FileManager.default
        try files.createDirectory(atPath: links, withIntermediateDirectories: true)
        try files.createSymbolicLink(atPath: links + "/Link.sqlite", withDestinationPath: "../real/Company.sqlite")
        try files.createSymbolicLink(atPath: links + "/folder", withDestinationPath: "../real")
        try files.createSymbolicLink(atPath: links + "/Second.sqlite", withDestinationPath: "Link.sqlite")
        let path =
            [
                "link to the store": links + "/Link.sqlite", "link to the folder": links + "/folder/Company.sqlite",
                "link to a link": links + "/Second.sqlite", "dots": links + "/.././real//Company.sqlite",
            ][way] ?? ""
        let place = folder.directory.file("results")
        try files.createDirectory(atPath: place, withIntermediateDirectories: true)
        let run = try ToolProcess.ferry(["migrate", path] + words + placement.words(in: place))
        #expect(run.status == 0, "\(run.summary)")
        #expect(try StoreDump(of: placement.result(of: store, in: place)) == new)
        #expect(FileSystem.isLink(links + "/Link.sqlite") && FileSystem.isLink(links + "/Second.sqlite"))
        #expect(try FileSystem.names(in: links) == ["Link.sqlite", "Second.sqlite", "folder"])
    }

    /// The result of a store with an ordinary name; tables that change in place have another order of columns.
    private func migrated(_ folder: StoreFolder, _ words: [String], _ placement: SafetyPlacement) throws -> String {
        let name = "expected-\(placement.rawValue)"
        let store = try folder.copy(named: name)
        let place = folder.directory.file(name)
        let run = try ToolProcess.ferry(["migrate", store] + words + placement.words(in: place))
        #expect(run.status == 0, "\(run.summary)")
        return placement.result(of: store, in: place)
    }
}
