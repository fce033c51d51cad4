import PersistentStores

extension ImportRun.SpoolReport: CustomStringConvertible {
    public var description: String {
        "Shard \(shard): \(Quantity.count(records, "record")) converted, \(Quantity.count(rejected)) rejected so far, "
            + "in \(path)\n"
    }
}
