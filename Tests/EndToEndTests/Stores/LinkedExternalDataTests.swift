import Foundation
import PersistentStores
import TestSupport
import Testing

/// Files of external data that are links, or no files: nothing outside the store gets into what is made of it.
@Suite struct LinkedExternalDataTests {
    private static let secret = "nobody asked for this"

    private static let copying = [
        ["migrate", "--output", "New.sqlite"], ["copy", "New.sqlite"],
        ["repair", "--fix", "index-missing", "--output", "New.sqlite"],
    ]
    private static let reading = [
        ["export", "--entity", "Image", "--output", "New.csv"], ["convert", "--output", "New.xml"],
        ["fetch", "--entity", "Image", "--format", "json"],
    ]

    @Test(arguments: copying + reading)
    func aLinkLeadsNowhere(words: [String]) throws {
        try run(words) { path, target in
            try FileSystem.remove(path)
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
        }
    }

    @Test(arguments: copying + reading)
    func aPipeHoldsNobodyUp(words: [String]) throws {
        try run(words) { path, _ in
            try FileSystem.remove(path)
            #expect(mkfifo(path, 0o600) == 0)
        }
    }

    /// The folder of the files, and the support folder around it.
    @Test(arguments: copying + reading, ["_EXTERNAL_DATA", "SUPPORT"])
    func aFolderThatIsALinkLeadsNowhere(words: [String], folder: String) throws {
        try run(words) { path, target in
            let records = FileSystem.directory(of: path)
            let isSupport = folder == "SUPPORT"
            let link = isSupport ? FileSystem.directory(of: records) : records
            try FileSystem.remove(link)
            let elsewhere = FileSystem.directory(of: target)
            if isSupport {
                try FileSystem.createDirectory(elsewhere + "/_EXTERNAL_DATA")
                try FileManager.default.moveItem(
                    atPath: target, toPath: elsewhere + "/_EXTERNAL_DATA/" + FileSystem.name(of: target))
            }
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: elsewhere)
        }
    }

    /// - Parameter change: gets the path of a file of external data, and that of one elsewhere.
    private func run(_ words: [String], _ change: (String, String) throws -> Void) throws {
        let (directory, elsewhere) = (try TemporaryDirectory(), try TemporaryDirectory())
        let store = try Samples.buildStore("Recipes", in: directory)
        let folder = StoreFiles(store).externalDataDirectory
        let name = try #require(try FileSystem.names(in: folder).first)
        try change(folder + "/" + name, elsewhere.write(Self.secret, to: name))
        let models = words[0] == "copy" ? [] : ["--models", Samples.models("Recipes")]
        let result = try ToolProcess.ferry(
            [words[0], store] + words.dropFirst() + models, in: directory.path)
        #expect(result.signal == nil && (result.status != 0 || words[0] == "fetch"), "\(result.summary)")
        var texts = [result.output]
        for name in try FolderState(of: directory.path).names where name.hasPrefix("New") || name.hasPrefix(".New") {
            let bytes = FileManager.default.contents(atPath: directory.file(name)) ?? Data()
            texts.append(String(decoding: bytes, as: UTF8.self))
        }
        for text in texts {
            #expect(!text.contains(Self.secret), "\(text)")
            #expect(!text.contains(Data(Self.secret.utf8).base64EncodedString()), "\(text)")
        }
    }
}
