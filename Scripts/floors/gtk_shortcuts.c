// gtk_shortcuts DEPTH SHORTCUTS ROUNDS: nanoseconds of processor time for one key press that meets a shortcut in GTK 4, in
// the fastest round.
//
// Each of DEPTH widgets, one inside the other, has a GtkShortcutController of local scope; the shortcuts are dealt out to
// them, and the innermost widget has the focus. One real press of Control+K is made with XTest. Its event is kept and
// emitted again on the surface, as the X11 backend does, so that each time it goes down and up the whole chain.
// Control+K stands in the middle of the chain, in the middle of its widget's list. Needs an X server (xvfb-run gives one).
#include <X11/extensions/XTest.h>
#include <X11/keysym.h>
#include <gdk/x11/gdkx.h>
#include <gtk/gtk.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static long activated;
static GdkEvent *kept;

static gboolean activate(GtkWidget *widget, GVariant *arguments, gpointer data) {
    (void)widget, (void)arguments, (void)data;
    activated++;
    return TRUE;
}

static gboolean keep(GtkEventControllerLegacy *controller, GdkEvent *event, gpointer data) {
    (void)controller, (void)data;
    gboolean isPress = gdk_event_get_event_type(event) == GDK_KEY_PRESS;
    if (!kept && isPress && gdk_key_event_get_keyval(event) == GDK_KEY_k) kept = gdk_event_ref(event);
    return FALSE;
}

static void bind_key(GtkShortcutController *controller, guint key, GdkModifierType modifiers) {
    GtkShortcutTrigger *trigger = gtk_keyval_trigger_new(key, modifiers);
    gtk_shortcut_controller_add_shortcut(
        controller, gtk_shortcut_new(trigger, gtk_callback_action_new(activate, NULL, NULL)));
}

// Keys of no keyboard, each of them with sixteen sets of modifiers.
static void bind_other(GtkShortcutController *controller, int number) {
    static const GdkModifierType bits[] = {GDK_SHIFT_MASK, GDK_CONTROL_MASK, GDK_ALT_MASK, GDK_SUPER_MASK};
    GdkModifierType modifiers = 0;
    for (int bit = 0; bit < 4; bit++)
        if (number >> bit & 1) modifiers |= bits[bit];
    bind_key(controller, gdk_unicode_to_keyval(0x4E00 + (guint)number / 16), modifiers);
}

static void turn(int milliseconds) {
    for (int i = 0; i < milliseconds; i++) {
        while (g_main_context_pending(NULL)) g_main_context_iteration(NULL, FALSE);
        g_usleep(1000);
    }
}

static void key(Display *display, KeySym symbol, Bool isDown) {
    XTestFakeKeyEvent(display, XKeysymToKeycode(display, symbol), isDown, CurrentTime);
}

static int64_t processor_time(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static int fail(const char *what) {
    fprintf(stderr, "gtk_shortcuts: %s\n", what);
    return 70;
}

int main(int argc, char **argv) {
    if (argc != 4) return fprintf(stderr, "usage: gtk_shortcuts DEPTH SHORTCUTS ROUNDS\n"), 64;
    int depth = atoi(argv[1]), shortcuts = atoi(argv[2]), rounds = atoi(argv[3]);
    if (depth < 2 || shortcuts < 1) return fprintf(stderr, "gtk_shortcuts: too few\n"), 64;
    gtk_init();

    GtkWidget **chain = g_new0(GtkWidget *, (gsize)depth);
    chain[0] = gtk_window_new();
    for (int i = 1; i < depth; i++) {
        chain[i] = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
        if (i == 1) gtk_window_set_child(GTK_WINDOW(chain[0]), chain[1]);
        else gtk_box_append(GTK_BOX(chain[i - 1]), chain[i]);
    }
    GtkWidget *innermost = chain[depth - 1];
    gtk_widget_set_focusable(innermost, TRUE);
    gtk_widget_set_size_request(innermost, 40, 40);
    int middle = shortcuts / depth / 2;
    for (int i = 0; i < depth; i++) {
        GtkShortcutController *controller = GTK_SHORTCUT_CONTROLLER(gtk_shortcut_controller_new());
        gtk_shortcut_controller_set_scope(controller, GTK_SHORTCUT_SCOPE_LOCAL);
        gtk_widget_add_controller(chain[i], GTK_EVENT_CONTROLLER(controller));
        for (int number = i, place = 0; number < shortcuts; number += depth, place++) {
            if (i == depth / 2 && place == middle) bind_key(controller, GDK_KEY_k, GDK_CONTROL_MASK);
            else bind_other(controller, number);
        }
    }
    GtkEventController *listener = gtk_event_controller_legacy_new();
    gtk_event_controller_set_propagation_phase(listener, GTK_PHASE_CAPTURE);
    g_signal_connect(listener, "event", G_CALLBACK(keep), NULL);
    gtk_widget_add_controller(chain[0], listener);

    gtk_window_present(GTK_WINDOW(chain[0]));
    gtk_widget_grab_focus(innermost);
    turn(100);
    GdkSurface *surface = gtk_native_get_surface(GTK_NATIVE(chain[0]));
    Display *display = gdk_x11_display_get_xdisplay(gdk_display_get_default());
    for (int tries = 0; tries < 30 && !kept; tries++) {
        XSetInputFocus(display, gdk_x11_surface_get_xid(surface), RevertToParent, CurrentTime);
        key(display, XK_Control_L, True);
        key(display, XK_k, True);
        key(display, XK_k, False);
        key(display, XK_Control_L, False);
        XSync(display, False);
        turn(50);
    }
    if (!kept) return fail("the press made with XTest does not arrive");
    gtk_widget_grab_focus(innermost);

    int presses = 500;
    int64_t best = 0;
    for (int round = 0; round <= rounds; round++) {
        long before = activated;
        int64_t begin = processor_time();
        for (int i = 0; i < presses; i++) {
            gboolean isTaken = FALSE;
            g_signal_emit_by_name(surface, "event", kept, &isTaken);
        }
        int64_t took = processor_time() - begin;
        if (activated - before != presses) return fail("a press did not activate its shortcut");
        // The first round warms up.
        if (round > 0 && (best == 0 || took < best)) best = took;
    }
    printf("presses %d ns %.1f\n", presses, (double)best / presses);
    fflush(stdout);
    _exit(0);
}
