import Foundation
import TestSupport
import Testing

/// Killed at any point, a run leaves the old store or the new one, and the next run goes through.
@Suite struct SafetyKillTests {
    @Test(.long, arguments: SafetyStore.all, SafetyPlacement.allCases)
    func leavesTheOldStoreOrTheNewOne(_ store: SafetyStore, _ placement: SafetyPlacement) throws {
        let scenario = try KillScenario(store, placement)
        #expect(scenario.checkpoints.count >= 10)
        for point in scenario.points {
            #expect(try scenario.faults(killedAt: point) == [], "killed at \(scenario.checkpoints[point - 1])")
        }
    }

    /// With a row in each batch, where the large tables are being written.
    @Test(.long, arguments: SafetyStore.Journal.allCases, [SafetyPlacement.replace, .inPlace])
    func leavesTheOldStoreOrTheNewOneBetweenBatches(_ journal: SafetyStore.Journal, _ placement: SafetyPlacement) throws
    {
        let scenario = try KillScenario(
            SafetyStore(content: .recipes, journal: journal), placement, more: ["--batch-rows", "1"])
        #expect(scenario.checkpoints.count > 100)
        for point in scenario.points {
            #expect(try scenario.faults(killedAt: point) == [], "killed at \(scenario.checkpoints[point - 1])")
        }
    }

    /// Killed again and again, each time a little later.
    @Test(.long, arguments: [SafetyPlacement.backup, .inPlaceWithBackup])
    func survivesOneDeathAfterTheOther(_ placement: SafetyPlacement) throws {
        let scenario = try KillScenario(SafetyStore(content: .recipes, journal: .openLog), placement)
        #expect(try scenario.faults(killedAt: scenario.points) == [])
    }
}
