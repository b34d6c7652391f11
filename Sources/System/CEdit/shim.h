/* SPDX-License-Identifier: MIT */
#ifndef TAPRIG_CEDIT_SHIM_H
#define TAPRIG_CEDIT_SHIM_H

#include <stdio.h>
#include <histedit.h>

/* The library's calls with varying arguments, and the C streams, have no counterpart in Swift. */

typedef char *(*cedit_prompt_function)(EditLine *);
typedef unsigned char (*cedit_key_function)(EditLine *, int);

static inline EditLine *cedit_open(const char *program) {
    return el_init(program, stdin, stdout, stderr);
}

static inline int cedit_set_client_data(EditLine *editor, void *data) {
    return el_set(editor, EL_CLIENTDATA, data);
}

static inline void *cedit_client_data(EditLine *editor) {
    void *data = NULL;
    el_get(editor, EL_CLIENTDATA, &data);
    return data;
}

static inline int cedit_set_prompt(EditLine *editor, cedit_prompt_function function) {
    return el_set(editor, EL_PROMPT, function);
}

static inline int cedit_set_reader(EditLine *editor, el_rfunc_t function) {
    return el_set(editor, EL_GETCFN, function);
}

static inline int cedit_use_emacs_keys(EditLine *editor) {
    return el_set(editor, EL_EDITOR, "emacs");
}

static inline int cedit_set_signals(EditLine *editor, int handled) {
    return el_set(editor, EL_SIGNAL, handled);
}

static inline int cedit_add_function(EditLine *editor, const char *name, const char *help,
                                     cedit_key_function function) {
    return el_set(editor, EL_ADDFN, name, help, function);
}

static inline int cedit_bind(EditLine *editor, const char *key, const char *function) {
    return el_set(editor, EL_BIND, key, function, NULL);
}

/* While a line is edited, Ctrl-C is a key; while a command runs, it is a signal. */
static inline int cedit_take_interrupt_key(EditLine *editor) {
    return el_set(editor, EL_SETTY, "-d", "-isig", NULL);
}

/* The library would show the prompt first and take the terminal then; keys in between would be signals and echoes. */
static inline int cedit_take_terminal(EditLine *editor) {
    return el_set(editor, EL_PREP_TERM, 1);
}

static inline int cedit_use_history(EditLine *editor, History *lines) {
    return el_set(editor, EL_HIST, history, lines);
}

static inline int cedit_limit_history(History *lines, int count) {
    HistEvent event;
    return history(lines, &event, H_SETSIZE, count);
}

static inline int cedit_drop_repeats(History *lines) {
    HistEvent event;
    return history(lines, &event, H_SETUNIQUE, 1);
}

static inline int cedit_add_history(History *lines, const char *line) {
    HistEvent event;
    return history(lines, &event, H_ENTER, line);
}

#endif
