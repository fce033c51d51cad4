import RecordSources
import StoreImport
import StoreMigration

/// Makes a store and fills it with numbered projects.
func importProjects(numbered numbers: Range<Int>, into store: String, models: String) throws -> ImportReport {
    let version = try VersionCatalog(paths: [models]).version(forNewStore: nil)
    let records = numbers.lazy.map { number -> [String: RecordValue] in
        ["title": .text("Project \(number)"), "budget": .number("\(number).50")]
    }
    let run = ImportRun(
        target: .init(path: store, model: version.model, newStore: version.newStore), records: records,
        columns: ["title", "budget"], plan: .entity(EntityRequest(entity: "Project")), options: ImportOptions())
    return try run.run()
}
