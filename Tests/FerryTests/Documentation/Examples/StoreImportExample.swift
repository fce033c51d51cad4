import StoreImport
import StoreMigration

/// Makes a store of the current model version and fills it with the projects of a CSV file.
func importProjects(from file: String, into store: String, models: String) throws -> ImportReport {
    let version = try VersionCatalog(paths: [models]).version(forNewStore: nil)
    let run = ImportRun(
        target: .init(path: store, model: version.model, newStore: version.newStore),
        sources: [file], plan: .entity(EntityRequest(entity: "Project")), options: ImportOptions())
    return try run.run()
}
