import ManagedObjectModels
import MappingModels
import PersistentStores
import StoreMigration

/// Each level becomes a skill, which all employees with that level share.
final class LevelPolicy: EntityMigrationPolicy {
    override func createDestinationInstances(for source: SourceObject, in context: MigrationContext) throws {
        let employee = try context.createDestinationInstance(for: source)
        guard try source.value("vacationDays") == nil else { return }
        // Required in the new version, and not filled in everywhere.
        try employee.set("vacationDays", to: .integer(25))
    }

    override func createRelationships(
        for employee: DestinationObject, of source: SourceObject, in context: MigrationContext
    ) throws {
        try super.createRelationships(for: employee, of: source, in: context)
        guard let level = try source.integer("level") else { return }
        let skill = try context.findOrInsert("Skill", where: ["name": .string("Level \(level)")]).object
        try employee.add("skills", skill)
    }
}

@main
struct CompanyPolicies {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 5 else {
            print("usage: company-policies STORE MODELS MAPPING NEW-STORE")
            return
        }
        let fingerprint = StoreFingerprint(of: StoreFiles(followingLinks: arguments[1]), isSettled: true)
        let store = try SQLiteStore(path: arguments[1])
        let catalog = try VersionCatalog(paths: [arguments[2]])
        let source = try catalog.sourceVersion(of: store, named: nil, configuration: nil, towards: "Company 2")
        let destination = try catalog.destinationVersion(named: "Company 2", for: source)
        let mapping = try MappingChoice.mapping(
            among: [MappingModelFile.read(path: arguments[3])], from: source, to: destination, in: catalog)
        let options = MigrationPlanner.Options(
            placement: .output(arguments[4]), mapping: mapping, policies: PolicyRegistry([LevelPolicy.self]))
        let plan = try MigrationPlanner(store: store, from: source, to: destination, options: options).plan()
        print(try MigrationManager().execute(plan, unchangedSince: fingerprint))
    }
}
