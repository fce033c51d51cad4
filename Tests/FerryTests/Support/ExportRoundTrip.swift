import Foundation
import TestSupport
import Testing

/// Exports with a mapping and imports of what they write, in a directory.
struct ExportRoundTrip {
    let directory: TemporaryDirectory

    func ferry(_ words: [String]) throws -> ToolProcess.Result {
        try ToolProcess.ferry(words, in: directory.path)
    }

    /// All objects of a store as lines: what an export of everything writes, without the store's own UUID.
    func objects(_ store: String, _ models: String) throws -> [String: [String]] {
        let folder = "all-" + UUID().uuidString
        let run = try ferry([
            "export", store, "--models", models, "--all", "--output", folder, "--write-mapping", folder + ".yaml",
        ])
        #expect(run.status < 2, "\(run.summary)")
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.file(folder))
        return try Dictionary(
            uniqueKeysWithValues: names.map { name in
                let text = try String(contentsOfFile: directory.file(folder + "/" + name), encoding: .utf8)
                    .replacing(/x-coredata:..[-0-9A-F]{36}/, with: "")
                return (name, text.split(separator: "\n").map(String.init).sorted())
            })
    }

    func expectInverse(
        _ store: String, _ models: String, _ mapping: String, _ format: String?, status: Int32
    ) throws {
        let options = format.map { ["--format", $0, "--write-mapping", "written.yaml", "--force"] } ?? []
        let exported = try ferry(
            ["export", store, "--models", models, "--mapping", mapping, "--output", "out/"] + options)
        #expect(exported.status == status && !exported.errors.contains("left out"), "\(exported.summary)")
        let files = try FileManager.default.contentsOfDirectory(atPath: directory.file("out"))
            .filter { $0 != "photos" }.sorted().map { "out/" + $0 }
        let imported = try ferry(
            ["import"] + files + ["--mapping", format == nil ? mapping : "written.yaml", "--models", models]
                + ["--store", "again.sqlite", "--progress", "none"])
        #expect(imported.isComplete, "\(imported.summary)")
        let (before, after) = (try objects(store, models), try objects("again.sqlite", models))
        #expect(before == after, "\(format ?? "")")
        #expect(before.values.reduce(0) { $0 + $1.count } > before.count)
    }
}
