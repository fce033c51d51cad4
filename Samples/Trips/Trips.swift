import Foundation
import SwiftData

/// The first version, as it was shipped.
enum TripsSchemaV1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Trip.self, Stop.self] }

    @Model
    final class Trip {
        @Attribute(.unique) var name: String
        var start: Date
        var end: Date?
        var notes = ""
        @Relationship(inverse: \Stop.trip) var stops: [Stop] = []

        init(name: String, start: Date) {
            self.name = name
            self.start = start
        }
    }

    @Model
    final class Stop {
        var place: String
        var nights = 1
        var trip: Trip?

        init(place: String) {
            self.place = place
        }
    }
}

/// The second version: trips have a kind, stops a position, and deleting a trip deletes its stops.
enum TripsSchemaV2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Trip.self, Stop.self] }

    @Model
    final class Trip {
        #Unique<Trip>([\.title])
        #Index<Trip>([\.start], [\.title, \.start])

        @Attribute(originalName: "name") var title: String
        var start: Date
        var end: Date?
        var notes = ""
        var kind: Kind? = Kind.leisure
        var budget: Decimal = 0
        @Relationship(deleteRule: .cascade, inverse: \Stop.trip) var stops: [Stop] = []
        @Transient var isSelected = false

        init(title: String, start: Date) {
            self.title = title
            self.start = start
        }
    }

    @Model
    final class Stop {
        var place: String
        var nights = 1
        var position: Position?
        @Attribute(.externalStorage) var photo: Data?
        var trip: Trip?

        init(place: String) {
            self.place = place
        }
    }

    enum Kind: String, Codable {
        case leisure, business
    }

    struct Position: Codable {
        var latitude: Double
        var longitude: Double
    }
}

enum TripsMigrationPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [TripsSchemaV1.self, TripsSchemaV2.self] }
    static var stages: [MigrationStage] {
        [.lightweight(fromVersion: TripsSchemaV1.self, toVersion: TripsSchemaV2.self)]
    }
}
