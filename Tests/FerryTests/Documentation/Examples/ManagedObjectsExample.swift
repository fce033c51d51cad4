import ManagedObjectModels
import ManagedObjects
import PersistentStores
import PredicateExpressions
import StoreFetching
import StoreMigration

/// An entity's class: properties by their names in the model, and hooks.
final class StaffMember: ManagedObject {
    static let lastName = AttributeKey<String>("lastName")
    static let level = AttributeKey<Int>("level")
    static let manager = ToOneKey<StaffMember>("manager")

    override func validateConsistency() throws {
        if self[Self.level] == 10, self[Self.manager] != nil {
            throw ObjectValidationError(self, key: "level", "whoever has a manager is below level 10")
        }
    }
}

/// Raises employees below level 9 who have a manager by one, and returns the names.
func promote(in path: String, models: String) throws -> [String] {
    let version = try VersionCatalog(paths: [models]).sourceVersion(of: SQLiteStore(path: path), named: nil)
    var options = CoordinatorOptions()
    options.classes = options.classes.registering(StaffMember.self, for: "Employee")
    let coordinator = PersistentStoreCoordinator(model: version.model, options: options)
    try coordinator.addStore(at: path)
    let context = ManagedObjectContext(coordinator)
    var request = FetchRequest(entityName: "Employee")
    request.predicate = try Predicate(format: "manager != NULL AND level < 9")
    request.sortDescriptors = [FetchSortDescriptor(keyPath: "lastName", isAscending: true)]
    let members = try context.fetch(StaffMember.self, request)
    for member in members { member[StaffMember.level] = (member[StaffMember.level] ?? 0) + 1 }
    try context.save()
    return members.compactMap { $0[StaffMember.lastName] }
}
