import StoreFleets

/// Plans a migration of all stores in a folder, runs it as one shard, and returns how many stores are done.
func migrateAll(in folder: String, models: String, manifest: String) throws -> Int64 {
    let planner = try FleetPlanner(FleetOptions(.migrate, models: [models]), shards: 1, to: manifest)
    try planner.add(folder)
    _ = try planner.finish()
    _ = try FleetRunner().run(FleetManifest(path: manifest), shard: 1, of: 1)
    return try FleetReader(FleetManifest(path: manifest)).status().done
}
