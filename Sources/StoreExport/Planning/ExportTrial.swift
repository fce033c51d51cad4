import ImportMappings
import RecordConversion
import StoreFetching
import ValueTransformers

/// What of a record is tried out before it is written, because only its values tell whether the import makes them again.
struct ExportTrial: Sendable {
    /// An object that the record makes.
    struct Object: Sendable {
        var mapping: ObjectMapping
        /// The values of the mapping's attributes as the store has them, in its order.
        var values: [FetchedProperty.Content]
        /// What is NULL if there is no such object; nil for that of the record itself.
        var presence: FetchedProperty.Content?
    }

    /// Another source that reads the same records, and must leave this one out.
    struct Rival: Sendable {
        var name: String
        var filter: RecordFilter
        var settings: ConversionSettings
    }

    var objects: [Object]
    var filter: RecordFilter?
    var settings: ConversionSettings
    var transformers = ValueTransformerRegistry()
    var rivals: [Rival] = []
    /// Whether anything is worth a trial.
    var isNeeded = false
}
