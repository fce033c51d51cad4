import Foundation

/// The models and stores that are part of the project, in the folder `Samples`.
public enum Samples {
    public static let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Samples").path

    /// The bundle with all versions of a sample's model.
    public static func models(_ name: String) -> String {
        "\(path)/\(name)/\(name).xcdatamodeld"
    }

    /// The SQL text of the store of a sample's first model version.
    public static func storeText(_ name: String) throws -> String {
        try String(contentsOfFile: "\(path)/\(name)/store-v1.sql", encoding: .utf8)
    }

    /// Builds the store of a sample's first model version with the sqlite3 tool, external data included.
    ///
    /// Returns the path of the store, whose name is that of the sample.
    public static func buildStore(_ name: String, in directory: TemporaryDirectory) throws -> String {
        let store = directory.file("\(name).sqlite")
        try read("\(name)/store-v1.sql", into: store)
        let external = "\(path)/\(name)/external"
        if FileManager.default.fileExists(atPath: external) {
            let support = directory.file(".\(name)_SUPPORT")
            try FileManager.default.createDirectory(atPath: support, withIntermediateDirectories: true)
            try FileManager.default.copyItem(atPath: external, toPath: support + "/_EXTERNAL_DATA")
        }
        return store
    }

    /// Gives a store of the sample Company persistent history with three transactions.
    public static func addHistory(to store: String) throws {
        try read("Company/history.sql", into: store)
    }

    /// Runs SQL of the samples with the sqlite3 tool.
    private static func read(_ file: String, into store: String) throws {
        let result = try ToolProcess.run("/usr/bin/env", ["sqlite3", "-bail", store, ".read '\(path)/\(file)'"])
        guard result.status == 0 else { throw CocoaError(.fileWriteUnknown) }
    }
}
