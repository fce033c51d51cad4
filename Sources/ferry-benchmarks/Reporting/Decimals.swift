import Foundation
import PersistentStores
import StoreMigration

/// Numbers as the table shows them.
enum Decimals {
    static func text(_ value: Double, _ places: Int) -> String {
        String(format: "%.\(places)f", value)
    }

    static func text(_ value: Double, _ unit: Figure.Unit) -> String {
        switch unit {
        // Three digits are as many as repeat.
        case .seconds: value < 1 ? text(value * 1000, 1) + " ms" : text(value, 2) + " s"
        case .bytes: Quantity.bytes(Int64(value))
        }
    }
}
