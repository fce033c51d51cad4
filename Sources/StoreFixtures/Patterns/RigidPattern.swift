/// Texts of one length with a choice of characters at each position, in an order without duplicates.
struct RigidPattern: Sendable {
    let places: [[Unicode.Scalar]]
    let capacity: Int

    init(places: [[Unicode.Scalar]]) {
        self.places = places
        capacity = places.reduce(1) { $0.saturatingProduct($1.count) }
    }

    /// Returns the text with a number below the capacity; the last positions change fastest.
    func text(_ number: Int) -> String {
        var rest = number
        var scalars: [Unicode.Scalar] = []
        for place in places.reversed() {
            scalars.append(place[rest % place.count])
            rest /= place.count
        }
        return String(String.UnicodeScalarView(scalars.reversed()))
    }
}
