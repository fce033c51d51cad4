/// The dimensions of a diagram, in pixels at a scale of 1.
enum DiagramMetrics {
    /// All points that lines can meet are on multiples of this value, so that many lines are straight.
    static let grid = 9.0

    static let rowHeight = 18.0
    static let titleHeight = 36.0
    /// The space below the last row.
    static let footHeight = 9.0

    static let titleSize = 13.0
    static let rowSize = 12.0
    static let detailSize = 11.0
    static let subtitleSize = 10.0

    /// The space between a box's border and its text.
    static let padding = 10.0
    /// The space between a row's name and its detail.
    static let columnGap = 14.0
    static let minimumWidth = 126.0
    /// The width at which a name or a detail is truncated; the tooltip has the whole text.
    static let maximumTextWidth = 230.0

    /// The space between two boxes of a column; a line that passes between them has half of it on each side.
    static let boxGap = 27.0
    /// The height of a passage of a line through a column.
    static let passageHeight = 9.0

    /// The distance from a box to the nearest track of a channel: space for the sign at a line's end.
    static let channelMargin = 26.0
    /// The distance between two tracks.
    static let trackPitch = 9.0

    /// The margin around the diagram.
    static let margin = 24.0

    /// The desired ratio of width to height: that of a screen.
    static let aspect = 1.5
}
