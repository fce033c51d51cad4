import CommandLineParsing
import ManagedObjectModels
import ManagedObjects
import PersistentStores
import PredicateExpressions
import StoreFetching
import StoreMigration

struct ObjectsRunOptions: OptionTable {
    var operands: [String] = []
    static let flags: [Flag<Self>] = []
}

extension Command {
    /// Work on objects of a store of orders, in a process of its own, so that its memory is its own.
    static let objectsRun = Command(
        "objects-run", "Do what the suite objects measures",
        operands: OperandRule("touch|touch-named|save|faults STORE MODELS COUNT", 4, upTo: 4),
        options: ObjectsRunOptions.self
    ) { options in
        let words = options.operands
        let catalog = try VersionCatalog(paths: [words[2]])
        let version = try catalog.sourceVersion(of: SQLiteStore(path: words[1]), named: nil)
        let coordinator = PersistentStoreCoordinator(model: version.model)
        try coordinator.addStore(at: words[1])
        let context = ManagedObjectContext(coordinator)
        var request = FetchRequest(entityName: "Order")
        request.fetchLimit = Int(words[3]) ?? 0
        var fetching = ObjectFetchOptions()
        fetching.includesPropertyValues = words[0] == "save" || words[0] == "touch-named"
        if words[0] == "touch-named" { request.propertiesToFetch = [FetchedProperty(.keyPath("serial"))] }
        let before = ResidentMemory.bytes
        let orders = try context.fetch(request, options: fetching)
        switch words[0] {
        case "touch", "touch-named":
            let serial = AttributeKey<Int64>("serial")
            var sum: Int64 = 0
            for order in orders { sum &+= order[serial] ?? 0 }
            BenchmarkConsole.print("\(sum)\n")
        case "save":
            let weight = AttributeKey<Double>("weight")
            for (number, order) in orders.enumerated() { order[weight] = -1 - Double(number) }
            try context.save()
        default: BenchmarkConsole.print("\((ResidentMemory.bytes - before) / Int64(max(1, orders.count)))\n")
        }
        return .done
    }
}
